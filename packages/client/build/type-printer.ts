import { type Checker, SymbolFlags, type Type, TypeFlags, type Symbol as TypeSymbol } from 'typescript/unstable/sync'

/** Deeper than any answer: a type that contains itself would never end. */
const DEPTH_MAX = 30
/** Generic types of JavaScript itself. */
const BUILT_IN = new Set(['AsyncIterable', 'Date', 'Map', 'Set'])
const PRIMITIVE = TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BooleanLike

/**
 * Prints types as text that needs no import. A branded id is printed as the number it is, since the brand is the API's
 * own. Throws at what cannot be printed so: functions, classes, generics.
 */
export class TypePrinter {
  /** The bodies of the types that were printed by name. */
  readonly named = new Map<string, string>()
  readonly #checker: Checker
  readonly #names = new Map<number, string>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  print(type: Type, depth = 0): string {
    if (depth > DEPTH_MAX) throw new Error(`A type is too deep: ${this.#checker.typeToString(type)}`)
    if (type.isLiteralType()) return JSON.stringify(type.value)
    if (type.isIntrinsicType()) return type.intrinsicName
    if (type.isUnionType()) return this.#printUnion(type.getTypes() ?? [], depth)
    if (type.isIntersectionType()) return this.#printIntersection(type, depth)
    const list = this.#printList(type, depth)
    if (list !== null) return list
    const name = this.#findName(type)
    return name === null ? this.#printObject(type, depth) : this.#printNamed(type, name, depth)
  }

  #printUnion(types: readonly Type[], depth: number): string {
    const printed = types.map((type) => this.print(type, depth + 1))
    const parts = [...new Set(printed)].sort()
    const isBoolean = parts.includes('true') && parts.includes('false')
    const shown = isBoolean ? ['boolean', ...parts.filter((part) => part !== 'true' && part !== 'false')] : parts
    // `null` and `undefined` last, as one writes them.
    return shown.sort((one, other) => Number(isNothing(one)) - Number(isNothing(other))).join(' | ')
  }

  #printIntersection(type: Type, depth: number): string {
    const primitive = type.isIntersectionType() ? type.getTypes()?.find(({ flags }) => flags & PRIMITIVE) : undefined
    return primitive === undefined ? this.#printObject(type, depth) : this.print(primitive, depth + 1)
  }

  /** Arrays, tuples and generic types of JavaScript; null for others. */
  #printList(type: Type, depth: number): string | null {
    if (!type.isTypeReference()) return null
    const types = this.#checker.getTypeArguments(type)
    const parts = types.map((part) => this.print(part, depth + 1))
    if (this.#checker.isTupleType(type)) return `[${parts.join(', ')}]`
    const name = type.getSymbol()?.name ?? ''
    if (this.#checker.isArrayType(type)) {
      const element = types[0]?.isUnionType() ? `(${parts[0]})` : parts[0]
      return `${name === 'ReadonlyArray' ? 'readonly ' : ''}${element}[]`
    }
    return BUILT_IN.has(name) ? `${name}<${parts.join(', ')}>` : null
  }

  /** The name that the API's source gives a type, unless it has parameters. */
  #findName(type: Type): string | null {
    const alias = type.getAliasSymbol()
    const symbol = alias ?? (type.isClassOrInterface() ? type.getSymbol() : undefined)
    if (symbol === undefined) return null
    if (BUILT_IN.has(symbol.name)) return symbol.name
    const isGeneric =
      (type.getAliasTypeArguments() ?? []).length > 0 ||
      (type.isTypeReference() && this.#checker.getTypeArguments(type).length > 0)
    const isOurs = symbol.declarations.every(
      ({ path }) => !path.includes('/node_modules/') && !path.includes('bundled:'),
    )
    return isGeneric || !isOurs ? null : symbol.name
  }

  #printNamed(type: Type, name: string, depth: number): string {
    if (BUILT_IN.has(name)) return name
    if (this.#names.get(type.id) === name) return name
    this.#names.set(type.id, name)
    const body = this.#printObject(type, depth)
    if ((this.named.get(name) ?? body) !== body) throw new Error(`Two types have the name ${name}.`)
    this.named.set(name, body)
    return name
  }

  #printObject(type: Type, depth: number): string {
    if ((type.flags & TypeFlags.Object) === 0 && !type.isIntersectionType()) {
      throw new Error(`A type cannot be printed: ${this.#checker.typeToString(type)}`)
    }
    const properties = this.#checker.getPropertiesOfType(type).map((symbol) => this.#printProperty(symbol, depth))
    const indexes = this.#checker
      .getIndexInfosOfType(type)
      .map(({ keyType, valueType }) => `[key: ${this.print(keyType, depth + 1)}]: ${this.print(valueType, depth + 1)}`)
    const lines = [...indexes, ...properties]
    return lines.length === 0 ? 'Record<string, never>' : `{\n${indent(lines.join('\n'))}\n}`
  }

  #printProperty(symbol: TypeSymbol, depth: number): string {
    if (symbol.flags & SymbolFlags.Method) throw new Error(`${symbol.name} is a method.`)
    const type = this.#checker.getTypeOfSymbol(symbol)
    if (type === undefined) throw new Error(`${symbol.name} has no type.`)
    const comment = symbol.getDocumentationComment(this.#checker).trim()
    const doc = comment === '' ? '' : `/** ${comment.replaceAll(/\s*\n\s*/g, ' ')} */\n`
    const isOptional = (symbol.flags & SymbolFlags.Optional) !== 0
    const key = /^[A-Za-z_$][\w$]*$/.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name)
    return `${doc}${key}${isOptional ? '?' : ''}: ${this.print(type, depth + 1)}`
  }
}

function isNothing(part: string): boolean {
  return part === 'null' || part === 'undefined'
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
