import { type ZodType, z } from 'zod'
import { PROPERTY_WORDS } from './property-words.ts'

export type JsonSchema = Readonly<Record<string, unknown>>
type Direction = 'input' | 'output'

const PREFIX = '#/components/schemas/'
/** Keywords of JSON Schema whose value is data rather than a schema. */
const DATA = new Set(['default', 'const', 'enum', 'examples', 'required'])
/** Formats that describe values as well as zod's long patterns do. */
const SELF_EXPLAINING = new Set(['date-time', 'uuid', 'email'])

/**
 * The named schemas of the OpenAPI document. An object's name comes from the `.meta({ id })` of its zod schema, or else
 * from its parent and its property. Every object schema is a component, so that generated clients have a type for it.
 */
export class ComponentSchemas {
  readonly #schemas = new Map<string, JsonSchema>()
  /** Names of components, by the JSON of the schema. Objects with the same shape therefore share one component. */
  readonly #names = new Map<string, string>()

  /**
   * Registers the schemas that have names in zod. Call `learn` for all schemas first, because these names take
   * precedence over generated ones.
   */
  learn(schema: ZodType, direction: Direction): void {
    for (const [name, json] of Object.entries(convert(schema, direction).named)) {
      const text = toText(json)
      if (!this.#names.has(text)) this.#names.set(text, name)
    }
  }

  /** Describes a schema with references to components. An object that has no name of its own gets the name `name`. */
  describe(schema: ZodType, direction: Direction, name: string): JsonSchema {
    const { json, named } = convert(schema, direction)
    for (const [id, definition] of Object.entries(named)) this.#store(id, definition, direction)
    return this.#hoist(json, name, direction)
  }

  /** Adds a component that no zod schema describes. */
  add(name: string, schema: JsonSchema): JsonSchema {
    this.#schemas.set(name, schema)
    return { $ref: PREFIX + name }
  }

  /** Returns all components, sorted by name. */
  toRecord(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  /** Replaces each object in a schema with a reference to a component. */
  #hoist(schema: JsonSchema, name: string, direction: Direction): JsonSchema {
    if (isObject(schema)) {
      const { description, ...object } = schema
      const shared = this.#names.get(toText(object)) ?? name
      this.#store(shared, object, direction)
      return { $ref: PREFIX + shared, ...(description !== undefined && { description }) }
    }
    return this.#hoistParts(schema, name, direction)
  }

  #hoistParts(schema: JsonSchema, name: string, direction: Direction): JsonSchema {
    return mapSchemas(schema, (part, { keyword, key }) => {
      if (keyword === 'properties') return this.#hoist(part, name + toPascal(key), direction)
      if (keyword === 'items') return this.#hoist(part, toSingular(name), direction)
      const objects = (schema[keyword] as JsonSchema[]).filter?.(isObject) ?? []
      return this.#hoist(part, objects.length > 1 ? `${name}${Number(key) + 1}` : name, direction)
    })
  }

  #store(name: string, schema: JsonSchema, direction: Direction): void {
    const json = this.#hoistParts(schema, name, direction)
    const stored = this.#schemas.get(name)
    if (stored === undefined) {
      this.#schemas.set(name, json)
      if (!this.#names.has(toText(schema))) this.#names.set(toText(schema), name)
    } else if (JSON.stringify(stored) !== JSON.stringify(json)) {
      throw new Error(`two schemas of the OpenAPI document are called ${name}: give one another .meta({ id })`)
    }
  }
}

/** Converts a zod schema to JSON Schema. Returns the objects that have a name in zod separately. */
function convert(schema: ZodType, direction: Direction): { json: JsonSchema; named: Record<string, JsonSchema> } {
  // Wrap the schema in a property, because only then does zod refer to a named schema instead of describing it in
  // place.
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
    io: direction,
    unrepresentable: 'any',
  })
  const named = Object.entries($defs).map(([name, { id: _id, ...json }]) => {
    const simple = simplify(json as JsonSchema, direction)
    return [toComponentName(name, direction), simple] as const
  })
  return { json: simplify(properties?.it as JsonSchema, direction), named: Object.fromEntries(named) }
}

/**
 * Returns the name of a component. Inputs have their own schemas, because they reject unknown properties, but outputs
 * may get more properties.
 */
function toComponentName(name: string, direction: Direction): string {
  return direction === 'input' ? `${name}Input` : name
}

function simplify(schema: JsonSchema, direction: Direction): JsonSchema {
  const { $ref, pattern, minimum, maximum, additionalProperties, ...rest } =
    direction === 'input' ? describeDefault(schema) : schema
  const parts = mapSchemas(rest, (part, { keyword, key }) =>
    simplify(describeProperty(part, keyword === 'properties' ? PROPERTY_WORDS[key] : undefined), direction),
  )
  return mergeNull({
    ...(typeof $ref === 'string' && {
      $ref: PREFIX + toComponentName($ref.slice($ref.lastIndexOf('/') + 1), direction),
    }),
    ...parts,
    ...(pattern !== undefined && !SELF_EXPLAINING.has(String(rest.format)) && { pattern }),
    ...describeRange({ minimum, maximum }, direction),
    ...describeOthers(parts, additionalProperties, direction),
  })
}

function describeProperty(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined || '$ref' in schema ? schema : { description, ...schema }
}

/** Moves an input's default to its description. Client generators would read `default` as “always present”. */
function describeDefault({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema
  const words = `Default: ${Array.isArray(value) ? 'none' : value}.`
  return { ...schema, description: schema.description === undefined ? words : `${schema.description} ${words}` }
}

/**
 * Replaces the limit of numbers up to 2^53 with a format. Only for values that callers send does the document describe
 * limits.
 */
function describeRange({ minimum, maximum }: JsonSchema, direction: Direction): JsonSchema {
  const isWide = maximum === Number.MAX_SAFE_INTEGER
  const isSent = direction === 'input'
  return {
    ...(isWide && { format: 'int64' }),
    ...(isSent && minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(isSent && maximum !== undefined && !isWide && { maximum }),
  }
}

function describeOthers(parts: JsonSchema, others: unknown, direction: Direction): JsonSchema {
  if ('properties' in parts) return direction === 'input' ? { additionalProperties: false } : {}
  if (typeof others !== 'object') return others === undefined ? {} : { additionalProperties: others }
  return { additionalProperties: simplify(others as JsonSchema, direction) }
}

/** Merges `anyOf: [{ type: 'string' }, { type: 'null' }]` to `type: ['string', 'null']`. */
function mergeNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return schema
  const [value] = anyOf
  if (typeof value.type !== 'string' || isObject(value) || 'enum' in value || 'const' in value) return schema
  return { ...value, type: [value.type, 'null'], ...rest }
}

interface SchemaLocation {
  readonly keyword: string
  /** Name of the property, or index in the list. */
  readonly key: string
}

/** Applies `change` to all schemas directly below this one. */
function mapSchemas(schema: JsonSchema, change: (part: JsonSchema, place: SchemaLocation) => JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (DATA.has(keyword) || typeof value !== 'object' || value === null) return [keyword, value]
    if (Array.isArray(value)) {
      return [keyword, value.map((part, i) => (isSchema(part) ? change(part, { keyword, key: String(i) }) : part))]
    }
    if (keyword === 'properties') {
      return [keyword, mapValues(value as Record<string, JsonSchema>, (part, key) => change(part, { keyword, key }))]
    }
    return [keyword, change(value as JsonSchema, { keyword, key: '' })]
  })
  return Object.fromEntries(entries)
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isObject(schema: JsonSchema): boolean {
  return schema.type === 'object' && 'properties' in schema
}

function toText({ description: _description, ...schema }: JsonSchema): string {
  return JSON.stringify(schema)
}

export function toPascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function toSingular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}

export function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  change: (value: T, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
