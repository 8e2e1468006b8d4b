/** Replaces every reference to a component by a copy of it, with the texts beside the reference. No component may hold itself. */
export function dereference(document: object): unknown {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...rest } = value as Readonly<Record<string, unknown>>
    const parts = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, resolve(part)]))
    return typeof $ref === 'string' ? { ...Object(resolve(findComponent(document, $ref))), ...parts } : parts
  }
  return resolve(document)
}

function findComponent(document: object, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => Object(value)[name], document)
}
