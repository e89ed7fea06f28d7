/* xml.h - text inside XML documents
 *
 * XML 1.0 has no way to write most control characters, and a document with bytes that are not UTF-8 is
 * rejected as a whole: such bytes and characters become U+FFFD.
 */
#ifndef REPORT_CI_XML_H
#define REPORT_CI_XML_H

#include "base/text.h"

/* Adds character data. */
void xml_add_text(Text *out, const char *bytes, size_t size);
/* Adds ` name="value"`. Line breaks and tabs of the value survive the normalisation by readers. */
void xml_add_attribute(Text *out, const char *name, const char *value);
void xml_add_attribute_bytes(Text *out, const char *name, const char *value, size_t size);

#endif
