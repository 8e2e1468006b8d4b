import { STATUS_CODES } from 'node:http'
import { type DomainErrorCode, transportOf } from '../errors.ts'
import { type RestExample, refusalExamples, restExamples } from './rest-examples.ts'
import { KEY_FIELD, KEY_HEADER } from './rest-input.ts'

interface Media {
  readonly schema: { readonly properties?: { readonly code?: { readonly enum?: readonly RefusalCode[] } } }
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

type RefusalCode = DomainErrorCode | 'INTERNAL'

const RETRY_LATER = new Set(['429', '503'])
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds until it makes sense to try again.', schema: { type: 'integer' } },
}

/** The document that the routes' schemas make, with an example of each call, of each answer and of each refusal. */
export function withExamples(document: unknown): unknown {
  const { paths, ...rest } = document as Document
  return { ...rest, paths: mapValues(paths, (methods) => mapValues(methods, operationWithExamples)) }
}

function operationWithExamples(operation: Operation): unknown {
  const example = restExamples[operation.operationId]
  const { parameters, requestBody, responses } = operation
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map((parameter) => parameterWithExample(parameter, example)) }),
    ...(requestBody && {
      requestBody: { ...requestBody, content: bodyWithExample(requestBody.content, example, parameters) },
    }),
    responses: mapValues(responses, (answer, status) =>
      status < '400'
        ? withContent(answer, (media) => ({ ...media, example: example.answer }))
        : refusal(answer, status),
    ),
  }
}

function parameterWithExample(parameter: Parameter, { input = {} }: RestExample): unknown {
  const field = parameter.name.toLowerCase() === KEY_HEADER ? KEY_FIELD : parameter.name
  return field in input ? { ...parameter, example: input[field] } : parameter
}

/** The fields of the input that no parameter has. */
function bodyWithExample(
  content: Content,
  { input = {} }: RestExample,
  parameters: readonly Parameter[] = [],
): unknown {
  const elsewhere = new Set([...parameters.map(({ name }) => name), KEY_FIELD])
  const example = Object.fromEntries(Object.entries(input).filter(([field]) => !elsewhere.has(field)))
  return mapValues(content, (media) => ({ ...media, example }))
}

function refusal(answer: Answer, status: string): unknown {
  const codes = answer.content?.['application/problem+json']?.schema.properties?.code?.enum ?? []
  const described = withContent(answer, (media, type) => ({
    ...media,
    examples: Object.fromEntries(
      codes.map((code) => [code, { value: type === 'text/plain' ? refusalExamples[code] : problemOf(code) }]),
    ),
  }))
  return RETRY_LATER.has(status) ? { ...described, headers: RETRY_AFTER } : described
}

function problemOf(code: RefusalCode): unknown {
  const status = code === 'INTERNAL' ? 500 : transportOf[code].http
  return { type: 'about:blank', title: STATUS_CODES[status], status, detail: refusalExamples[code], code }
}

function withContent(answer: Answer, change: (media: Media, type: string) => unknown) {
  return { ...answer, content: mapValues(answer.content ?? {}, change) }
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
