import { STATUS_CODES } from 'node:http'
import { type DomainErrorCode, toTransport } from '../../../errors.ts'
import { KEY_FIELD, KEY_HEADER } from '../input.ts'
import { isRowType, ROW_FORMATS } from '../streams/formats.ts'
import { rowStreams } from '../streams/row-streams.ts'
import { type RestExample, refusalExamples, restExamples } from './examples.ts'
import { describeHeaders } from './headers.ts'

interface Media {
  readonly schema: {
    readonly required?: readonly string[]
    readonly properties?: { readonly code?: { readonly enum?: readonly RefusalCode[] } }
  }
}
type Content = Readonly<Record<string, Media>>

interface Answer {
  readonly content?: Content
}

interface Parameter {
  readonly name: string
}

interface Operation {
  readonly operationId: keyof typeof restExamples
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const EXAMPLES = 'apps/api/src/http/rest/openapi/examples.ts'

type RefusalCode = DomainErrorCode | 'INTERNAL'

/** Adds examples of requests, answers and refusals to the document that the routes' schemas make. */
export function withExamples(document: unknown): unknown {
  const { paths, ...rest } = document as Document
  return { ...rest, paths: mapValues(paths, (methods) => mapValues(methods, operationWithExamples)) }
}

/** Returns the example of an operation. Throws when it has none, naming the file that it belongs in. */
export function getExample(operationId: string): RestExample {
  const examples: Readonly<Record<string, RestExample | undefined>> = restExamples
  const example = examples[operationId]
  if (example === undefined) throw new Error(`${operationId} has no example in restExamples of ${EXAMPLES}`)
  return example
}

function operationWithExamples(operation: Operation): unknown {
  const example = getExample(operation.operationId)
  const { parameters, requestBody, responses } = operation
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map((parameter) => parameterWithExample(parameter, example)) }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        required: needsBody(requestBody.content),
        content: bodyWithExample(requestBody.content, example, parameters),
      },
    }),
    responses: mapValues(responses, (answer, status) => ({
      ...(status < '400'
        ? withContent(answer, (media, type) => ({
            ...media,
            example: toAnswerExample(operation.operationId, type, example),
          }))
        : refusal(answer)),
      headers: describeHeaders(operation.operationId, status, listCodes(answer)),
    })),
  }
}

function toAnswerExample(operation: Operation['operationId'], type: string, { answer }: RestExample): unknown {
  const rows = rowStreams[operation]
  if (rows === undefined || !isRowType(type)) return answer
  const list = answer as readonly Readonly<Record<string, unknown>>[]
  return `${ROW_FORMATS[type].head(rows.columns)}${ROW_FORMATS[type].rows(list, rows.columns)}`
}

function parameterWithExample(parameter: Parameter, { input = {} }: RestExample): unknown {
  const field = parameter.name.toLowerCase() === KEY_HEADER ? KEY_FIELD : parameter.name
  return field in input ? { ...parameter, example: input[field] } : parameter
}

/** A body without required fields may be missing. */
function needsBody(content: Content): boolean {
  return Object.values(content).some(({ schema }) => (schema.required ?? []).length > 0)
}

/** The example of a body: the input's fields without those in path, query and headers. */
function bodyWithExample(
  content: Content,
  { input = {} }: RestExample,
  parameters: readonly Parameter[] = [],
): unknown {
  const elsewhere = new Set([...parameters.map(({ name }) => name), KEY_FIELD])
  const example = Object.fromEntries(Object.entries(input).filter(([field]) => !elsewhere.has(field)))
  return mapValues(content, (media) => ({ ...media, schema: closedSchema(media.schema), example }))
}

/** Sets `additionalProperties: false` at every depth, since unknown properties are refused. */
function closedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = mapValues(schema as Record<string, unknown>, (part, keyword) =>
    keyword === 'properties' ? mapValues(Object(part), closedSchema) : closedSchema(part),
  )
  return 'properties' in parts ? { additionalProperties: false, ...parts } : parts
}

function listCodes(answer: Answer): readonly RefusalCode[] {
  return answer.content?.['application/problem+json']?.schema.properties?.code?.enum ?? []
}

function refusal(answer: Answer) {
  return withContent(answer, (media, type) => ({
    ...media,
    examples: Object.fromEntries(
      listCodes(answer).map((code) => [code, { value: type === 'text/plain' ? getSentence(code) : toProblem(code) }]),
    ),
  }))
}

function getSentence(code: RefusalCode): string {
  const sentence = refusalExamples[code]
  if (sentence === undefined) throw new Error(`${code} has no sentence in refusalExamples of ${EXAMPLES}`)
  return sentence
}

function toProblem(code: RefusalCode): unknown {
  const status = code === 'INTERNAL' ? 500 : toTransport(code).http
  return { type: 'about:blank', title: STATUS_CODES[status], status, detail: getSentence(code), code }
}

function withContent(answer: Answer, change: (media: Media, type: string) => unknown) {
  return { ...answer, content: mapValues(answer.content ?? {}, change) }
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
