//! From the text of a schema to its rules.

use serde_json::{Map, Number, Value};

use super::check::Checker;
use super::index::{Index, Place, Target};
use super::pattern::{self, Pattern};
use super::rule::{Id, Items, Members, Node, NumberRule, Range, Rule, TextRule, Types};
use super::{SchemaError, cycles, keywords};

/// Compiles `schema` into a checker that enforces exactly what it says.
///
/// `format` and unknown keywords are annotations. Nothing is fetched.
///
/// # Errors
///
/// With the JSON pointer in the schema: a reference that is remote, unresolved or goes round in a circle on one
/// value; an unknown `$schema`; a malformed keyword; a pattern that needs backtracking; more than 10 000
/// subschemas, or a nesting over 64.
pub(crate) fn compile(schema: &Value) -> Result<Checker, SchemaError> {
    let mut index = Index::build(schema)?;
    let mut nodes = Vec::new();
    while let Some(place) = index.place(nodes.len()).cloned() {
        nodes.push(node(&mut index, &place)?);
    }
    cycles::refuse(&nodes, &index)?;
    Ok(Checker::new(nodes, index.dynamic_anchors()))
}

fn node<'s>(index: &mut Index<'s>, place: &Place<'s>) -> Result<Node, SchemaError> {
    let rules = match place.schema {
        Value::Object(keywords) => {
            let mut reader = Reader { index, place, keywords };
            RULES.iter().filter_map(|read| read(&mut reader).transpose()).collect::<Result<_, _>>()?
        }
        Value::Bool(false) => vec![Rule::Never],
        _ => Vec::new(),
    };
    Ok(Node { rules, resource: place.resource })
}

type Read = fn(&mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError>;

/// How each rule is read. What is cheap to check comes first, what depends on the others last.
const RULES: [Read; 26] = [
    types,
    among_one,
    among,
    number,
    text,
    length,
    unique,
    size,
    required,
    needs,
    legacy_needs,
    refer,
    dynamic,
    members,
    names,
    items,
    contains,
    |reader| reader.list("allOf").map(|it| it.map(Rule::All)),
    |reader| reader.list("anyOf").map(|it| it.map(Rule::Any)),
    |reader| reader.list("oneOf").map(|it| it.map(Rule::One)),
    |reader| reader.child("not").map(|it| it.map(Rule::Not)),
    condition,
    |reader| reader.map("dependentSchemas").map(|it| it.map(Rule::Dependent)),
    legacy_dependent,
    |reader| reader.child("unevaluatedProperties").map(|it| it.map(Rule::OtherMembers)),
    |reader| reader.child("unevaluatedItems").map(|it| it.map(Rule::OtherItems)),
];

fn types(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let Some(written) = reader.keywords.get("type") else { return Ok(None) };
    let named = |name: &Value| name.as_str().and_then(Types::named);
    let types = match written {
        Value::Array(list) if !list.is_empty() => {
            list.iter().map(named).try_fold(Types::default(), |all, it| Some(all.with(it?)))
        }
        written => named(written),
    };
    let fault = || {
        reader.fault("type", "must name one or more of null, boolean, integer, number, string, array, object")
    };
    types.map(|it| Some(Rule::Types(it))).ok_or_else(fault)
}

fn among_one(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    Ok(reader.keywords.get("const").map(|it| Rule::Among(vec![it.clone()])))
}

fn among(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    match reader.keywords.get("enum") {
        None => Ok(None),
        Some(Value::Array(values)) => Ok(Some(Rule::Among(values.clone()))),
        Some(_) => Err(reader.fault("enum", "must be an array")),
    }
}

fn number(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let rule = NumberRule {
        least: reader.number("minimum")?,
        above: reader.number("exclusiveMinimum")?,
        most: reader.number("maximum")?,
        below: reader.number("exclusiveMaximum")?,
        multiple: reader.number("multipleOf")?,
    };
    if rule.multiple.as_ref().is_some_and(|it| it.as_f64().is_none_or(|it| it <= 0.0)) {
        return Err(reader.fault("multipleOf", "must be above 0"));
    }
    let bounds = [&rule.least, &rule.above, &rule.most, &rule.below, &rule.multiple];
    Ok(bounds.iter().any(|it| it.is_some()).then_some(Rule::Number(rule)))
}

fn text(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let length = reader.range("minLength", "maxLength")?.unwrap_or_default();
    let pattern = match reader.keywords.get("pattern") {
        None => None,
        Some(Value::String(written)) => Some(reader.pattern("pattern", written)?),
        Some(_) => return Err(reader.fault("pattern", "must be a string")),
    };
    let empty = length == Range::default() && pattern.is_none();
    Ok((!empty).then_some(Rule::Text(TextRule { length, pattern })))
}

fn length(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    Ok(reader.range("minItems", "maxItems")?.map(Rule::Length))
}

fn unique(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    match reader.keywords.get("uniqueItems") {
        None | Some(Value::Bool(false)) => Ok(None),
        Some(Value::Bool(true)) => Ok(Some(Rule::Unique)),
        Some(_) => Err(reader.fault("uniqueItems", "must be `true` or `false`")),
    }
}

fn size(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    Ok(reader.range("minProperties", "maxProperties")?.map(Rule::Size))
}

fn required(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let Some(written) = reader.keywords.get("required") else { return Ok(None) };
    let names = strings(written).ok_or_else(|| reader.fault("required", "must be an array of strings"))?;
    Ok((!names.is_empty()).then_some(Rule::Required(names)))
}

fn needs(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let Some(written) = reader.keywords.get("dependentRequired") else { return Ok(None) };
    let entries = written.as_object().and_then(|it| {
        it.iter().map(|(name, names)| Some((name.clone(), strings(names)?))).collect::<Option<Vec<_>>>()
    });
    let fault = || reader.fault("dependentRequired", "must be an object of arrays of strings");
    entries.map(|it| Some(Rule::Needs(it))).ok_or_else(fault)
}

/// The lists in `dependencies`, the older form of `dependentRequired` and `dependentSchemas` in one.
fn legacy_needs(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let fault = || reader.fault("dependencies", "must be an object of schemas and arrays of strings");
    let Some(written) = reader.keywords.get("dependencies") else { return Ok(None) };
    let entries = written.as_object().ok_or_else(fault)?.iter().filter(|(_, value)| value.is_array());
    let entries =
        entries.map(|(name, names)| Some((name.clone(), strings(names)?))).collect::<Option<Vec<_>>>();
    entries.map(|it| Some(Rule::Needs(it))).ok_or_else(fault)
}

/// The schemas in `dependencies`.
fn legacy_dependent(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let Some(Value::Object(map)) = reader.keywords.get("dependencies") else { return Ok(None) };
    let names = map.iter().filter(|(_, value)| !value.is_array()).map(|(name, _)| name);
    reader.entries("dependencies", names).map(|it| Some(Rule::Dependent(it)))
}

fn refer(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    match reader.keywords.get("$ref") {
        None => Ok(None),
        Some(Value::String(written)) => Ok(Some(Rule::Refer(reader.index.resolve(reader.place, written)?))),
        Some(_) => Err(reader.fault("$ref", "must be a string")),
    }
}

fn dynamic(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let written = match reader.keywords.get("$dynamicRef") {
        None => return Ok(None),
        Some(Value::String(written)) => written,
        Some(_) => return Err(reader.fault("$dynamicRef", "must be a string")),
    };
    Ok(Some(match reader.index.resolve_dynamic(reader.place, written)? {
        Target::Fixed(id) => Rule::Refer(id),
        Target::Dynamic { anchor, fallback } => {
            let all =
                reader.index.dynamic_anchors().iter().filter_map(|it| it.get(&anchor).copied()).collect();
            Rule::Dynamic { anchor, fallback, all }
        }
    }))
}

fn members(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let named = reader.map("properties")?.unwrap_or_default();
    let mut patterns = Vec::new();
    for (written, id) in reader.map("patternProperties")?.unwrap_or_default() {
        patterns.push((reader.pattern("patternProperties", &written)?, id));
    }
    let others = reader.child("additionalProperties")?;
    if named.is_empty() && patterns.is_empty() && others.is_none() {
        return Ok(None);
    }
    let mut sorted: Vec<usize> = (0..named.len()).collect();
    sorted.sort_unstable_by(|left, right| named[*left].0.cmp(&named[*right].0));
    Ok(Some(Rule::Members(Members { named, sorted, patterns, others })))
}

fn names(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    Ok(reader.child("propertyNames")?.map(Rule::Names))
}

fn items(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let prefix = reader.list("prefixItems")?.unwrap_or_default();
    let rest = reader.child("items")?;
    let empty = prefix.is_empty() && rest.is_none();
    Ok((!empty).then_some(Rule::Items(Items { prefix, rest })))
}

fn contains(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let count = reader.range("minContains", "maxContains")?.unwrap_or_default();
    let count = Range { least: count.least.or(Some(1)), ..count };
    Ok(reader.child("contains")?.map(|item| Rule::Contains { item, count }))
}

fn condition(reader: &mut Reader<'_, '_>) -> Result<Option<Rule>, SchemaError> {
    let (then, otherwise) = (reader.child("then")?, reader.child("else")?);
    Ok(reader.child("if")?.map(|test| Rule::If { test, then, otherwise }))
}

/// Reads the keywords of one subschema.
struct Reader<'r, 's> {
    index: &'r mut Index<'s>,
    place: &'r Place<'s>,
    keywords: &'s Map<String, Value>,
}

impl Reader<'_, '_> {
    fn fault(&self, keyword: &str, problem: &str) -> SchemaError {
        SchemaError::new(self.pointer(keyword), format!("`{keyword}` {problem}"))
    }

    fn pointer(&self, keyword: &str) -> String {
        format!("{}/{keyword}", self.place.pointer)
    }

    fn child(&self, keyword: &str) -> Result<Option<Id>, SchemaError> {
        self.keywords.get(keyword).map(|_| self.index.at(&self.pointer(keyword))).transpose()
    }

    fn list(&self, keyword: &str) -> Result<Option<Vec<Id>>, SchemaError> {
        let list = match self.keywords.get(keyword) {
            None => return Ok(None),
            Some(Value::Array(list)) if !list.is_empty() => list,
            Some(_) => return Err(self.fault(keyword, "must be an array of one or more schemas")),
        };
        let pointer = self.pointer(keyword);
        (0..list.len())
            .map(|at| self.index.at(&format!("{pointer}/{at}")))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn map(&self, keyword: &str) -> Result<Option<Vec<(String, Id)>>, SchemaError> {
        let map = match self.keywords.get(keyword) {
            None => return Ok(None),
            Some(Value::Object(map)) => map,
            Some(_) => return Err(self.fault(keyword, "must be an object of schemas")),
        };
        self.entries(keyword, map.keys()).map(Some)
    }

    fn entries<'n>(
        &self,
        keyword: &str,
        names: impl Iterator<Item = &'n String>,
    ) -> Result<Vec<(String, Id)>, SchemaError> {
        let pointer = self.pointer(keyword);
        names
            .map(|it| Ok((it.clone(), self.index.at(&format!("{pointer}/{}", keywords::escape(it)))?)))
            .collect()
    }

    fn number(&self, keyword: &str) -> Result<Option<Number>, SchemaError> {
        match self.keywords.get(keyword) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(number.clone())),
            Some(_) => Err(self.fault(keyword, "must be a number")),
        }
    }

    fn range(&self, least: &str, most: &str) -> Result<Option<Range>, SchemaError> {
        let range = Range { least: self.count(least)?, most: self.count(most)? };
        Ok((range != Range::default()).then_some(range))
    }

    fn count(&self, keyword: &str) -> Result<Option<u64>, SchemaError> {
        let Some(written) = self.keywords.get(keyword) else { return Ok(None) };
        let whole =
            written.as_number().and_then(super::number::as_whole).and_then(|it| u64::try_from(it).ok());
        whole.map(Some).ok_or_else(|| self.fault(keyword, "must be a whole number, 0 or more"))
    }

    fn pattern(&self, keyword: &str, written: &str) -> Result<Pattern, SchemaError> {
        pattern::compile(written).map_err(|problem| {
            SchemaError::new(self.pointer(keyword), format!("pattern `{written}`: {problem}"))
        })
    }
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|it| it.as_str().map(str::to_owned)).collect()
}
