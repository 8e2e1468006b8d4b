import { dereference } from './dereference.ts'
import { DEFAULT_SECURITY } from './operation.ts'

/** Renders the OpenAPI document as one HTML page without scripts or requests to other hosts. */
export function docsPage(document: object): string {
  const { info, paths } = dereference(document) as OpenApi
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationSection(method, path, operation)),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(info.title)} API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${html(info.title)} API</h1>
${paragraphs(info.description ?? '')}
<p>For programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${operations.join('\n')}
</main>
</body>
</html>
`
}

interface OpenApi {
  readonly info: { readonly title: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly 'x-api-key-scopes'?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: { readonly description?: string }
}

interface Media {
  readonly schema: unknown
  readonly example?: unknown
  /** By error code. */
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

type Content = Readonly<Record<string, Media>>

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent) }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 56rem; margin: 0 auto; padding: 1rem }
section { border-top: 1px solid var(--line); padding: 1rem 0 }
h2 { font: 600 1.1rem ui-monospace, monospace; overflow-wrap: anywhere }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: .75rem; font-size: .85rem }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }
`

function operationSection(method: string, path: string, operation: Operation): string {
  const access = accessText(operation)
  return `<section>
<h2>${method.toUpperCase()} ${html(path)}</h2>
<p>${html(operation.description ?? '')}${access}</p>
${parameterList(operation.parameters ?? [])}
${mediaDetails('Request body', operation.requestBody?.content['application/json'])}
${Object.entries(operation.responses).map(answerPart).join('\n')}
</section>`
}

function accessText({ security = DEFAULT_SECURITY, 'x-api-key-scopes': scopes = [] }: Operation): string {
  if (security.length === 0) return ''
  return scopes.length === 0
    ? ' Needs a session.'
    : ` Needs a session, or an API key with the scope ${scopes.join(' or ')}.`
}

function parameterList(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const items = parameters.map(({ name, in: place, required, description, schema }) => {
    const text = description ?? schema?.description ?? ''
    return `<dt>${html(name)} (${place}${required ? '' : ', optional'})</dt><dd>${html(text)}</dd>`
  })
  return `<dl>${items.join('')}</dl>`
}

function answerPart([status, { description, content }]: [string, Operation['responses'][string]]): string {
  const title = `${status} ${description ?? ''}`
  return content?.['application/json'] ? mediaDetails(title, content['application/json']) : refusalList(title, content)
}

/** The error codes, each with its example sentence. */
function refusalList(title: string, content: Content = {}): string {
  const sentences = Object.entries(content['text/plain']?.examples ?? {})
  const items = sentences.map(([code, { value }]) => `<li><code>${html(code)}</code> ${html(String(value))}</li>`)
  return `<p>${html(title)}</p><ul>${items.join('')}</ul>`
}

function mediaDetails(title: string, media: Media | undefined): string {
  if (media === undefined) return ''
  const example = media.example === undefined ? '' : `<p>Example</p>${jsonBlock(media.example)}`
  return `<details><summary>${html(title)}</summary>${example}<p>Schema</p>${jsonBlock(media.schema)}</details>`
}

function jsonBlock(value: unknown): string {
  return `<pre>${html(JSON.stringify(value, null, 2))}</pre>`
}

function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${html(paragraph)}</p>`)
    .join('\n')
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
