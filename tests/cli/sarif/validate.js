// Validates SARIF files against the schema of SARIF 2.1.0, which the package sarif-multitool-linux ships.
// Usage: NODE_PATH=.../node_modules node validate.js FILE ...     exit 1 and a line per violation if a file is wrong
"use strict";
const fs = require("fs");
const path = require("path");
const Ajv = require("ajv/dist/2020").default;
const addFormats = require("ajv-formats").default;

const folder = path.dirname(require.resolve("@microsoft/sarif-multitool-linux/package.json"));
const schema = JSON.parse(fs.readFileSync(path.join(folder, "sarif-2.1.0.json"), "utf8").replace(/^\uFEFF/, ""));
const ajv = new Ajv({ allErrors: true, strict: false });
addFormats(ajv);
const validate = ajv.compile(schema);

let failed = false;
for (const file of process.argv.slice(2)) {
    if (validate(JSON.parse(fs.readFileSync(file, "utf8"))))
        continue;
    failed = true;
    for (const error of validate.errors)
        console.log(`${file}: ${error.instancePath || "/"} ${error.message} ${JSON.stringify(error.params)}`);
}
process.exit(failed ? 1 : 0);
