/* reflection.c - see reflection.h */
#include "abs/delta/reflection.h"

#include <string.h>

#define MODULE "ABS.Productline"

bool reflection_is_imported(const Model *model)
{
    for (uint32_t i = 0; i < model->modules.count; i++)
        for (uint32_t k = 0; k < model->modules.items[i]->imports.count; k++) {
            const char *from = model->modules.items[i]->imports.items[k].from.text;
            if (from && strcmp(from, MODULE) == 0)
                return true;
        }
    return false;
}

static void write_features(const Model *model, Text *text)
{
    uint32_t count = 0;
    text_add_string(text, "data Feature");
    for (uint32_t i = 0; i < model->product_lines.count; i++)
        for (uint32_t k = 0; k < model->product_lines.items[i]->features.count; k++)
            text_add(text, "%s%s", count++ ? " | " : " = ", model->product_lines.items[i]->features.items[k].name.text);
    text_add_string(text, ";\n");
}

static bool is_on_line(const Model *model, const char *feature)
{
    for (uint32_t i = 0; i < model->product_lines.count; i++)
        for (uint32_t k = 0; k < model->product_lines.items[i]->features.count; k++)
            if (model->product_lines.items[i]->features.items[k].name.text == feature)
                return true;
    return false;
}

void reflection_add(Model *model, const char *product, const FeatureSelection *selection)
{
    Text text = {0};
    uint32_t count = 0;
    if (!reflection_is_imported(model))
        return;
    text_add_string(&text, "module " MODULE ";\nexport *;\nimport * from ABS.StdLib;\n");
    write_features(model, &text);
    text_add(&text, "def String product_name() = \"%s\";\ndef List<Feature> product_features() = list[", product);
    for (uint32_t i = 0; i < selection->features.count; i++)
        if (is_on_line(model, selection->features.items[i].name.text))
            text_add(&text, "%s%s", count++ ? ", " : "", selection->features.items[i].name.text);
    text_add_string(&text, "];\n");
    parser_run(model, source_add_text(&model->sources, MODULE, text.data, text.length, true));
    text_release(&text);
}
