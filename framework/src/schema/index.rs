//! Every subschema of a document by its place, and what its `$ref`s mean.

use std::collections::HashMap;

use serde_json::Value;

use super::dialect::Dialect;
use super::rule::Id;
use super::{SchemaError, keywords, uri};

/// The subschemas found so far, numbered in the order found.
pub(super) struct Index<'s> {
    document: &'s Value,
    dialect: Dialect,
    places: Vec<Place<'s>>,
    by_pointer: HashMap<String, Id>,
    resources: Vec<Resource>,
}

/// One subschema and where it stands.
#[derive(Clone)]
pub(super) struct Place<'s> {
    pub(super) schema: &'s Value,
    pub(super) pointer: String,
    pub(super) resource: usize,
}

/// A part of the document with its own base URI.
struct Resource {
    uri: String,
    root: Id,
    anchors: HashMap<String, Id>,
    dynamic: HashMap<String, Id>,
}

/// What a `$dynamicRef` may come to mean.
pub(super) enum Target {
    Fixed(Id),
    Dynamic { anchor: String, fallback: Id },
}

impl<'s> Index<'s> {
    /// Finds every subschema of `document`.
    ///
    /// # Errors
    ///
    /// When the dialect is unknown, an identifier is malformed or given twice, or the document is too large.
    pub(super) fn build(document: &'s Value) -> Result<Self, SchemaError> {
        let root = Resource { uri: String::new(), root: 0, anchors: HashMap::new(), dynamic: HashMap::new() };
        let dialect = Dialect::of(document)?;
        let mut index =
            Self { document, dialect, places: Vec::new(), by_pointer: HashMap::new(), resources: vec![root] };
        index.walk(document, String::new(), 0, 0)?;
        Ok(index)
    }

    pub(super) fn place(&self, id: Id) -> Option<&Place<'s>> {
        self.places.get(id)
    }

    /// The subschema at `pointer`, which must be one that the walk has found.
    pub(super) fn at(&self, pointer: &str) -> Result<Id, SchemaError> {
        self.by_pointer
            .get(pointer)
            .copied()
            .ok_or_else(|| SchemaError::new(pointer, "this must be a schema"))
    }

    /// The dynamic anchors of every resource.
    pub(super) fn dynamic_anchors(&self) -> Vec<HashMap<String, Id>> {
        self.resources.iter().map(|it| it.dynamic.clone()).collect()
    }

    fn walk(
        &mut self,
        schema: &'s Value,
        pointer: String,
        outer: usize,
        depth: usize,
    ) -> Result<(), SchemaError> {
        if depth > DEEPEST {
            return Err(SchemaError::new(pointer, format!("schemas may be nested {DEEPEST} deep at most")));
        }
        if self.places.len() == MOST {
            return Err(SchemaError::new(pointer, format!("a document may have {MOST} subschemas at most")));
        }
        if !(schema.is_object() || schema.is_boolean()) {
            return Err(SchemaError::new(pointer, "a schema is an object, `true` or `false`"));
        }
        let id = self.places.len();
        let resource = self.identify(schema, &pointer, outer, id)?;
        self.by_pointer.insert(pointer.clone(), id);
        self.places.push(Place { schema, pointer: pointer.clone(), resource });
        let mut children = Vec::new();
        keywords::each_child(schema, |below, child| children.push((format!("{pointer}{below}"), child)));
        children.into_iter().try_for_each(|(pointer, child)| self.walk(child, pointer, resource, depth + 1))
    }

    /// Notes the identifiers of a subschema and returns the resource that it belongs to.
    fn identify(
        &mut self,
        schema: &Value,
        pointer: &str,
        outer: usize,
        id: Id,
    ) -> Result<usize, SchemaError> {
        let Value::Object(members) = schema else { return Ok(outer) };
        self.dialect.agree(pointer, members)?;
        let text = |keyword: &str| match members.get(keyword) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str())),
            Some(_) => {
                Err(SchemaError::new(format!("{pointer}/{keyword}"), format!("`{keyword}` must be a string")))
            }
        };
        let resource = match text("$id")? {
            Some(it) => self.resource(it, pointer, outer, id)?,
            None => outer,
        };
        let twice =
            |keyword: &str| SchemaError::new(format!("{pointer}/{keyword}"), "this anchor is already taken");
        if let Some(name) = text("$anchor")?
            && self.resources[resource].anchors.insert(name.to_owned(), id).is_some()
        {
            return Err(twice("$anchor"));
        }
        if let Some(name) = text("$dynamicAnchor")?
            && self.resources[resource].dynamic.insert(name.to_owned(), id).is_some()
        {
            return Err(twice("$dynamicAnchor"));
        }
        Ok(resource)
    }

    fn resource(&mut self, written: &str, pointer: &str, outer: usize, id: Id) -> Result<usize, SchemaError> {
        let place = || format!("{pointer}/$id");
        if written.split_once('#').is_some_and(|(_, fragment)| !fragment.is_empty()) {
            return Err(SchemaError::new(place(), "`$id` must not have a fragment; use `$anchor`"));
        }
        let uri = uri::resolve(&self.resources[outer].uri, written);
        if id == 0 {
            self.resources[0].uri = uri;
            return Ok(0);
        }
        if self.resources.iter().any(|it| it.uri == uri) {
            return Err(SchemaError::new(place(), format!("`{uri}` is already taken")));
        }
        self.resources.push(Resource { uri, root: id, anchors: HashMap::new(), dynamic: HashMap::new() });
        Ok(self.resources.len() - 1)
    }

    /// The subschema that a `$ref` at `from` means.
    ///
    /// # Errors
    ///
    /// When it is not in this document: nothing is fetched.
    pub(super) fn resolve(&mut self, from: &Place<'_>, reference: &str) -> Result<Id, SchemaError> {
        match self.target(from, reference, "$ref")? {
            Target::Fixed(id) | Target::Dynamic { fallback: id, .. } => Ok(id),
        }
    }

    /// What a `$dynamicRef` at `from` means. It is a plain `$ref` unless it names a dynamic anchor.
    ///
    /// # Errors
    ///
    /// As for [`Self::resolve`].
    pub(super) fn resolve_dynamic(
        &mut self,
        from: &Place<'_>,
        reference: &str,
    ) -> Result<Target, SchemaError> {
        self.target(from, reference, "$dynamicRef")
    }

    fn target(&mut self, from: &Place<'_>, reference: &str, keyword: &str) -> Result<Target, SchemaError> {
        let fail = |problem: String| SchemaError::new(format!("{}/{keyword}", from.pointer), problem);
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = self.find_resource(from.resource, address).ok_or_else(|| {
            fail(format!("`{reference}` is not in this document, and remote references are never followed"))
        })?;
        let fragment =
            uri::decode(fragment).ok_or_else(|| fail(format!("`{reference}` has a malformed `%` escape")))?;
        let unresolved = || fail(format!("`{reference}` points to nothing in this document"));
        let resource = &self.resources[resource];
        if fragment.is_empty() {
            return Ok(Target::Fixed(resource.root));
        }
        if fragment.starts_with('/') {
            let pointer = format!("{}{fragment}", self.places[resource.root].pointer);
            return self.find_pointer(&pointer)?.map(Target::Fixed).ok_or_else(unresolved);
        }
        match (resource.dynamic.get(&fragment), resource.anchors.get(&fragment)) {
            (Some(fallback), _) => Ok(Target::Dynamic { fallback: *fallback, anchor: fragment }),
            (None, Some(id)) => Ok(Target::Fixed(*id)),
            (None, None) => Err(unresolved()),
        }
    }

    fn find_resource(&self, from: usize, address: &str) -> Option<usize> {
        if address.is_empty() {
            return Some(from);
        }
        let uri = uri::resolve(&self.resources[from].uri, address);
        self.resources.iter().position(|it| it.uri == uri)
    }

    /// A pointer may lead to a schema under a keyword that holds none, as in `#/components/Pet`.
    fn find_pointer(&mut self, pointer: &str) -> Result<Option<Id>, SchemaError> {
        if let Some(id) = self.by_pointer.get(pointer) {
            return Ok(Some(*id));
        }
        let Some(schema) = self.document.pointer(pointer) else { return Ok(None) };
        let above = pointer.match_indices('/').rev().map(|(at, _)| &pointer[..at]);
        let resource =
            above.filter_map(|it| self.by_pointer.get(it)).map(|id| self.places[*id].resource).next();
        let id = self.places.len();
        self.walk(schema, pointer.to_owned(), resource.unwrap_or_default(), 0)?;
        Ok(Some(id))
    }
}

/// The most subschemas in a document.
const MOST: usize = 10_000;
/// The deepest nesting of subschemas.
const DEEPEST: usize = 64;
