import { type JsonSchema, toPascal } from './component-schemas.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly deprecated?: true
  readonly required?: true
  readonly schema: JsonSchema
  readonly example?: unknown
}

/** Parameters that several operations share by reference. */
export class SharedParameters {
  readonly #uses = new Map<string, { readonly parameter: Parameter; count: number }>()

  /** Counts a use, and returns an object that stands for the parameter until `resolve`. */
  refer(parameter: Parameter): Parameter {
    const text = JSON.stringify(parameter)
    const use = this.#uses.get(text) ?? { parameter, count: 0 }
    use.count += 1
    this.#uses.set(text, use)
    return use.parameter
  }

  /** Replaces parameters that are used more than once by references, and returns these parameters. */
  resolve(operations: Iterable<{ parameters?: unknown[] }>): Record<string, Parameter> {
    const components: Record<string, Parameter> = {}
    const references = new Map<unknown, { readonly $ref: string }>()
    for (const { parameter, count } of this.#uses.values()) {
      if (count < 2) continue
      const name = chooseName(parameter, components)
      components[name] = parameter
      references.set(parameter, { $ref: `#/components/parameters/${name}` })
    }
    for (const operation of operations) {
      if (operation.parameters === undefined) continue
      operation.parameters = operation.parameters.map((parameter) => references.get(parameter) ?? parameter)
    }
    return components
  }
}

/** Chooses the name `Id`, or `Id2` if another parameter already has that name. */
function chooseName({ name }: Parameter, taken: Readonly<Record<string, Parameter>>): string {
  const base = toPascal(name.replaceAll('-', ''))
  for (let number = 1; ; number++) {
    const chosen = number === 1 ? base : `${base}${number}`
    if (!(chosen in taken)) return chosen
  }
}
