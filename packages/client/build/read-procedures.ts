import { type Checker, type Project, SignatureKind, type Type } from 'typescript/unstable/sync'
import { TypePrinter } from './type-printer.ts'

export interface Procedure {
  readonly router: string
  readonly name: string
  readonly kind: 'query' | 'mutate' | 'subscribe'
  readonly input: string
  readonly output: string
}

export interface ApiTypes {
  readonly procedures: readonly Procedure[]
  /** Declarations of the types that have names in the contract. */
  readonly named: ReadonlyMap<string, string>
}

/** Reads every procedure's types from the exports of `file`, printed without an import. */
export function readProcedures({ checker, program }: Project, file: string): ApiTypes {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} is not a module.`)
  const declared = new Map(
    checker.getExportsOfModule(module).map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]),
  )
  const get = (name: string) => declared.get(name) ?? fail(`${file} exports no ${name}.`)
  const printer = new TypePrinter(checker)
  const client = get('PapermoonApi')
  // tRPC keeps a symbol of its own on the client, which has no procedures.
  const routers = checker.getPropertiesOfType(client).filter(({ name }) => /^[a-z]/i.test(name))
  const procedures = routers.flatMap(({ name: router }) => {
    const part = getProperty(checker, client, router)
    return checker.getPropertiesOfType(part).map(({ name }) => readProcedure({ checker, printer, router, name, part }))
  })
  // Named by itself: no procedure answers with it.
  printer.print(get('ErrorData'))
  return { procedures, named: printer.named }
}

interface Place {
  readonly checker: Checker
  readonly printer: TypePrinter
  readonly router: string
  readonly name: string
  readonly part: Type
}

function readProcedure({ checker, printer, router, name, part }: Place): Procedure {
  const procedure = getProperty(checker, part, name)
  const kind = (['query', 'mutate', 'subscribe'] as const).find((it) => checker.getPropertyOfType(procedure, it))
  if (kind === undefined) throw new Error(`${router}.${name} is no procedure.`)
  const [signature] = checker.getSignaturesOfType(getProperty(checker, procedure, kind), SignatureKind.Call)
  const input = signature && checker.getParameterType(signature, 0)
  if (signature === undefined || input === undefined) throw new Error(`${router}.${name} cannot be called.`)
  const output =
    kind === 'subscribe'
      ? readEvent(checker, checker.getParameterType(signature, 1))
      : readAnswer(checker, checker.getReturnTypeOfSignature(signature))
  return { router, name, kind, input: printer.print(input), output: printer.print(output) }
}

/** Type that a promise resolves to. */
function readAnswer(checker: Checker, promise: Type | undefined): Type {
  const answer = promise?.isTypeReference() ? checker.getTypeArguments(promise)[0] : undefined
  return answer ?? fail('A call returns no promise.')
}

/** Type that a subscription's `onData` receives. */
function readEvent(checker: Checker, handlers: Type | undefined): Type {
  const onData = checker.getNonNullableType(getProperty(checker, handlers ?? fail('No handlers.'), 'onData'))
  const [signature] = checker.getSignaturesOfType(onData ?? fail('No onData.'), SignatureKind.Call)
  return (signature && checker.getParameterType(signature, 0)) ?? fail('onData has no parameter.')
}

function getProperty(checker: Checker, type: Type, name: string): Type {
  const symbol = checker.getPropertyOfType(type, name) ?? fail(`There is no ${name}.`)
  return checker.getTypeOfSymbol(symbol) ?? fail(`${name} has no type.`)
}

function fail(message: string): never {
  throw new Error(message)
}
