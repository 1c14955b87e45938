// Fills in the forms that servers ask with.

const WORDS = { name: 'Ada', color: 'blue', email: 'ada@example.com' }

/** An answer with a value for every field of a form. */
export function filledIn(schema) {
  return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, value(name, field)]))
}

function value(name, field) {
  if ('default' in field) return field.default
  if ('enum' in field) return field.enum[0]
  if ('oneOf' in field) return field.oneOf[0].const
  switch (field.type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return field.minimum ?? 1
    case 'array':
      return [field.items.enum?.[0] ?? field.items.anyOf[0].const]
    default:
      return WORDS[name] ?? 'none'
  }
}
