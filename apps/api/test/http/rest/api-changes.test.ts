import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createOpenApiDocument } from '../../../src/http/rest/openapi/document.ts'
import { findBreaks } from '../../support/compare-documents.ts'

const RELEASED = new URL('../../../released-openapi.json', import.meta.url)
const config = { publicUrl: null, communityUrl: 'https://x.com/' }

// biome-ignore lint/suspicious/noExplicitAny: a part of a document that a test breaks on purpose
type Part = any

const document = createOpenApiDocument(config, 'full')

/** A few operations of the document, which are compared quickly. */
const few = {
  ...document,
  paths: Object.fromEntries(
    ['site', 'tokens', 'tokens/{id}/trades', 'tokens/buy', 'tokens/launch', 'auth/register', 'watchlist/{id}'].map(
      (path) => [`/api/${path}`, (document.paths as Part)[`/api/${path}`]],
    ),
  ),
}

/** They with one changed part, named by its path. */
function changed(path: readonly string[], change: (part: Part) => void): object {
  const copy = structuredClone(few)
  change(path.reduce<Part>((part, name) => part[name], copy))
  return copy
}

const findBreaksIn = (other: object) => findBreaks(few, other)

describe('the API since its last release', () => {
  it('has no breaking change: docs/api.md says what clients are promised', () => {
    const breaking = findBreaks(JSON.parse(readFileSync(RELEASED, 'utf8')), document)
    // It was about:blank for every error, which told nothing: `code` is what programs compare.
    // Only a key that was asked to have it has the scope `talk`.
    const expected = /: [45]\w\w\.type may be anything else now$|scopes\[\] may be talk now$/
    expect(breaking.filter((text) => !expected.test(text))).toEqual([])
  })
})

describe('a comparison of two documents', () => {
  it('finds nothing in equal ones', () => {
    expect(findBreaksIn(structuredClone(few))).toEqual([])
  })

  it('allows new properties of answers and new optional parameters', () => {
    const more = changed(
      ['components', 'schemas', 'Token', 'properties'],
      (fields) => (fields.mood = { type: 'string' }),
    )
    expect(findBreaksIn(more)).toEqual([])
  })

  const schemas = ['components', 'schemas']
  it.each<[string, readonly string[], (part: Part) => void, string]>([
    ['a removed path', ['paths'], (paths) => delete paths['/api/site'], 'GET /api/site: removed'],
    [
      'a removed operation',
      ['paths', '/api/watchlist/{id}'],
      (path) => delete path.delete,
      'DELETE /api/watchlist/{id}: removed',
    ],
    [
      'a renamed operation',
      ['paths', '/api/site', 'get'],
      (it) => (it.operationId = 'site'),
      'operationId getSite renamed',
    ],
    ['a property that is gone', [...schemas, 'Token', 'properties'], (it) => delete it.marketCap, '.marketCap removed'],
    ['a property that may be missing', [...schemas, 'Trade'], (it) => it.required.pop(), 'may be missing now'],
    [
      'a property that may be null',
      [...schemas, 'Trade', 'properties', 'price'],
      (it) => (it.type = ['string', 'null']),
      'price may be null now',
    ],
    [
      'another type of answer',
      [...schemas, 'Trade', 'properties', 'price'],
      (it) => (it.type = 'number'),
      'price may be number now',
    ],
    [
      'a new value of a closed list',
      [...schemas, 'Trade', 'properties', 'side'],
      (it) => it.enum.push('swap'),
      'side may be swap now',
    ],
    [
      'a new required field',
      [...schemas, 'BuyTokenRequest'],
      (it) => it.required.push('mood'),
      'body.mood is required now',
    ],
    [
      'a field that is refused',
      [...schemas, 'BuyTokenRequest', 'properties'],
      (it) => delete it.minTokensOut,
      'body.minTokensOut removed',
    ],
    [
      'a narrower field',
      [...schemas, 'LaunchTokenRequest', 'properties', 'name'],
      (it) => (it.maxLength = 8),
      'body.name has a narrower maxLength',
    ],
    ...[
      ['format', 'date'],
      ['exclusiveMinimum', 0],
      ['exclusiveMaximum', 10],
      ['multipleOf', 5],
    ].map(([keyword, value]): [string, readonly string[], (part: Part) => void, string] => [
      `a narrower ${keyword}`,
      [...schemas, 'LaunchTokenRequest', 'properties', 'name'],
      (it) => (it[String(keyword)] = value),
      `body.name has a narrower ${keyword}`,
    ]),
    [
      'an error code that is gone',
      ['paths', '/api/auth/register', 'post', 'x-error-codes'],
      (it) => (it['409'] = ['USERNAME_TAKEN']),
      'error code EMAIL_TAKEN removed',
    ],
    [
      'all error codes gone',
      ['paths', '/api/auth/register', 'post'],
      (it) => delete it['x-error-codes'],
      'error code USERNAME_TAKEN removed',
    ],
    ['a closed door', ['paths', '/api/site', 'get'], (it) => delete it.security, 'open to guests no more'],
    [
      'a success with another status',
      ['paths', '/api/site', 'get', 'responses'],
      (it) => delete it['200'],
      'status 200 removed',
    ],
  ])('finds %s', (_name, path, change, text) => {
    expect(findBreaksIn(changed(path, change)).join('\n')).toContain(text)
  })
})

describe('wider limits', () => {
  it.each([
    ['multipleOf', 10, 5],
    ['exclusiveMinimum', 1, 0],
    ['exclusiveMaximum', 9, 10],
    ['format', 'date-time', undefined],
  ])('of %s break nothing', (keyword, old, now) => {
    const path = ['components', 'schemas', 'LaunchTokenRequest', 'properties', 'name']
    const [before, after] = [old, now].map((value) => changed(path, (it) => (it[keyword] = value)))
    expect(findBreaks(before ?? {}, after ?? {})).toEqual([])
  })
})
