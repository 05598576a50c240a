#include "CXML.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <string.h>

static xmlParserInputPtr no_entity(const char *url, const char *id, xmlParserCtxtPtr context) { return NULL; }

void cxml_init(void) {
  xmlInitParser();
  // External entities of a document are never opened.
  xmlSetExternalEntityLoader(no_entity);
}

static cxml_outcome failure(xmlParserCtxtPtr context, cxml_error *error) {
  const xmlError *last = xmlCtxtGetLastError(context);
  if (!last) return CXML_MALFORMED;
  error->line = last->line;
  error->column = last->int2;
  if (last->message) strncpy(error->message, last->message, sizeof error->message - 1);
  switch (last->code) {
    case XML_ERR_INTERNAL_ERROR:
    case XML_ERR_NO_MEMORY:
    case XML_ERR_NAME_TOO_LONG:
    case XML_ERR_ENTITY_LOOP:
    case XML_ERR_ENTITY_PROCESSING:
    case XML_ERR_USER_STOP: return CXML_BOUND;
    case XML_ERR_UNKNOWN_ENCODING:
    case XML_ERR_UNSUPPORTED_ENCODING: return CXML_UNKNOWN_ENCODING;
  }
  return last->domain == XML_FROM_I18N || last->domain == XML_FROM_IO ? CXML_UNKNOWN_ENCODING : CXML_MALFORMED;
}

// The bytes of a document without zero bytes, so that UTF-16 can be read like ASCII.
typedef struct {
  const unsigned char *bytes;
  int index, count;
} cursor;

// The next byte; -1 at the end.
static int take(cursor *cursor) {
  while (cursor->index < cursor->count) {
    unsigned char byte = cursor->bytes[cursor->index++];
    if (byte) return byte;
  }
  return -1;
}

// Returns 1 if the document continues with `text`; then the cursor is after it.
static int takes(cursor *cursor, const char *text) {
  int before = cursor->index;
  for (; *text; text++) {
    if (take(cursor) == *text) continue;
    cursor->index = before;
    return 0;
  }
  return 1;
}

// Moves the cursor after the next occurrence of `end`.
//
// Returns the number of `--` before it.
static int skip_to(cursor *cursor, const char *end, int most) {
  int dashes = 0, previous = 0, byte;
  while (!takes(cursor, end) && (byte = take(cursor)) >= 0) {
    if (byte == '-' && previous == '-' && ++dashes > most) return dashes;
    previous = byte;
  }
  return dashes;
}

// Returns 1 if libxml2 would take quadratic time: it compares each attribute of an element with all others. It also
// reads a comment again at each `--`, which is not allowed in comments (XML 1.0 section 2.5).
static int is_beyond_bounds(const void *bytes, int count, int most) {
  cursor cursor = {bytes, 0, count};
  int byte;
  while ((byte = take(&cursor)) >= 0) {
    if (byte != '<') continue;
    if (takes(&cursor, "!--")) {
      if (skip_to(&cursor, "-->", most) > most) return 1;
    } else if (takes(&cursor, "![CDATA[")) {
      skip_to(&cursor, "]]>", INT_MAX);
    } else if (takes(&cursor, "?")) {
      skip_to(&cursor, "?>", INT_MAX);
    } else if (!takes(&cursor, "!")) {
      int attributes = 0, quote = 0;
      while ((byte = take(&cursor)) >= 0 && (quote || byte != '>')) {
        if (quote) {
          if (byte == quote) quote = 0;
        } else if (byte == '"' || byte == '\'') {
          quote = byte;
        } else if (byte == '=' && ++attributes > most) {
          return 1;
        }
      }
    }
  }
  return 0;
}

cxml_outcome cxml_parse(
    const void *bytes, int count, const char *encoding, cxml_document **document, cxml_error *error) {
  memset(error, 0, sizeof *error);
  *document = NULL;
  if (is_beyond_bounds(bytes, count, 10000)) return CXML_BOUND;
  xmlParserCtxtPtr context = xmlNewParserCtxt();
  if (!context) return CXML_BOUND;
  int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA;
  xmlDocPtr parsed = xmlCtxtReadMemory(context, bytes, count, NULL, encoding, options);
  if (parsed && !xmlDocGetRootElement(parsed)) {
    xmlFreeDoc(parsed);
    parsed = NULL;
  }
  cxml_outcome outcome = parsed ? CXML_DOCUMENT : failure(context, error);
  *document = (cxml_document *)parsed;
  xmlFreeParserCtxt(context);
  return outcome;
}

void cxml_free(cxml_document *document) { xmlFreeDoc((xmlDocPtr)document); }

// Nodes and attributes begin with the same members, from `_private` to `doc`.
static const xmlNode *node_of(const cxml_node *node) { return (const xmlNode *)node; }

const cxml_node *cxml_root(const cxml_document *document) {
  return (const cxml_node *)xmlDocGetRootElement((const xmlDoc *)document);
}

// The target of an entity reference is shared with its declaration, and not visited.
const cxml_node *cxml_first_child(const cxml_node *node) {
  return node_of(node)->type == XML_ENTITY_REF_NODE ? NULL : (const cxml_node *)node_of(node)->children;
}

const cxml_node *cxml_next(const cxml_node *node) { return (const cxml_node *)node_of(node)->next; }

const cxml_node *cxml_first_attribute(const cxml_node *element) {
  return node_of(element)->type == XML_ELEMENT_NODE ? (const cxml_node *)node_of(element)->properties : NULL;
}

cxml_kind cxml_kind_of(const cxml_node *node) {
  switch (node_of(node)->type) {
    case XML_ELEMENT_NODE: return CXML_ELEMENT;
    case XML_TEXT_NODE:
    case XML_CDATA_SECTION_NODE: return CXML_TEXT;
    case XML_ENTITY_REF_NODE: return CXML_ENTITY;
    default: return CXML_OTHER;
  }
}

static const xmlNs *space_of(const cxml_node *node) {
  if (node_of(node)->type == XML_ATTRIBUTE_NODE) return ((const xmlAttr *)node)->ns;
  return node_of(node)->type == XML_ELEMENT_NODE ? node_of(node)->ns : NULL;
}

const char *cxml_name(const cxml_node *node) { return (const char *)node_of(node)->name; }

const char *cxml_prefix(const cxml_node *node) {
  const xmlNs *space = space_of(node);
  return space ? (const char *)space->prefix : NULL;
}

const char *cxml_namespace(const cxml_node *node) {
  const xmlNs *space = space_of(node);
  return space ? (const char *)space->href : NULL;
}

const char *cxml_content(const cxml_node *text) {
  return cxml_kind_of(text) == CXML_TEXT ? (const char *)node_of(text)->content : NULL;
}
