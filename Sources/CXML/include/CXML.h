// libxml2 for Swift: a parser without network, files and entity substitution, and a traversal of its tree.
#pragma once

#include <stddef.h>

typedef struct cxml_document cxml_document;
// An element, a text, an attribute or another node; valid as long as its document.
typedef struct cxml_node cxml_node;

typedef enum cxml_outcome {
  CXML_DOCUMENT,
  CXML_MALFORMED,
  // The document exceeds a limit on depth, names, attributes or entities; it may be well-formed.
  CXML_BOUND,
  CXML_UNKNOWN_ENCODING,
} cxml_outcome;

typedef enum cxml_kind { CXML_ELEMENT, CXML_TEXT, CXML_ENTITY, CXML_OTHER } cxml_kind;

typedef struct cxml_error {
  // Counted from 1; 0 if unknown.
  int line, column;
  char message[256];
} cxml_error;

// Call it once, before all other functions.
void cxml_init(void);
// `encoding` overrides the document's declaration unless it is NULL. Free `*document` after a result of CXML_DOCUMENT.
cxml_outcome cxml_parse(
    const void *bytes, int count, const char *encoding, cxml_document **document, cxml_error *error);
void cxml_free(cxml_document *document);

const cxml_node *cxml_root(const cxml_document *document);
const cxml_node *cxml_first_child(const cxml_node *node);
const cxml_node *cxml_next(const cxml_node *node);
const cxml_node *cxml_first_attribute(const cxml_node *element);
cxml_kind cxml_kind_of(const cxml_node *node);
// NULL if the node has none.
const char *cxml_name(const cxml_node *node);
const char *cxml_prefix(const cxml_node *node);
const char *cxml_namespace(const cxml_node *node);
const char *cxml_content(const cxml_node *text);
