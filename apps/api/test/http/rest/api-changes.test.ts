import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createOpenApiDocument } from '../../../src/http/rest/openapi/document.ts'
import { findBreaks } from '../../support/compare-documents.ts'

const RELEASED = new URL('../../../released-openapi.json', import.meta.url)
const config = { publicUrl: null, communityUrl: 'https://x.com/' }

// biome-ignore lint/suspicious/noExplicitAny: a part of a document that a test breaks on purpose
type Part = any

// As callers read it: JSON leaves undefined properties out.
const document = JSON.parse(JSON.stringify(createOpenApiDocument(config, 'full')))

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
function changed(path: string, change: (part: Part) => void): object {
  const copy = structuredClone(few)
  change(path.split(' ').reduce<Part>((part, name) => part[name], copy))
  return copy
}

const fieldsOf = (name: string) => `components schemas ${name} properties`
const [BUY, PRICE] = ['components schemas BuyTokenRequest', `${fieldsOf('Trade')} price`]
const NAME = `${fieldsOf('LaunchTokenRequest')} name`
const [SITE, REGISTER, CODES] = ['paths /api/site', 'paths /api/auth/register post', 'x-error-codes']

const findBreaksIn = (other: object) => findBreaks(few, other)

describe('the API since its last release', () => {
  it('has no breaking change: docs/api.md says what clients are promised', () => {
    expect(findBreaks(JSON.parse(readFileSync(RELEASED, 'utf8')), document)).toEqual([])
  })
})

describe('a comparison of two documents', () => {
  it.each<[string, string, (part: Part) => void, string]>([
    ['a removed path', 'paths', (it) => delete it['/api/site'], 'GET /api/site: removed'],
    [
      'a removed operation',
      'paths /api/watchlist/{id}',
      (it) => delete it.delete,
      'DELETE /api/watchlist/{id}: removed',
    ],
    ['a renamed operation', `${SITE} get`, (it) => (it.operationId = 'site'), 'operationId getSite renamed'],
    ['a property that is gone', fieldsOf('Token'), (it) => delete it.marketCap, '.marketCap removed'],
    ['a property that may be missing', 'components schemas Trade', (it) => it.required.pop(), 'may be missing now'],
    ['a property that may be null', PRICE, (it) => (it.type = ['string', 'null']), 'price may be null now'],
    ['another type of answer', PRICE, (it) => (it.type = 'number'), 'price may be number now'],
    ['a new value of a closed list', `${fieldsOf('Trade')} side`, (it) => it.enum.push('swap'), 'side may be swap now'],
    ['a new required field', BUY, (it) => it.required.push('mood'), 'body.mood is required now'],
    ['a field that is refused', `${BUY} properties`, (it) => delete it.minTokensOut, 'body.minTokensOut removed'],
    ['a narrower field', NAME, (it) => (it.maxLength = 8), 'body.name has a narrower maxLength'],
    ['a narrower format', NAME, (it) => (it.format = 'date'), 'body.name has a narrower format'],
    ['a narrower range', NAME, (it) => (it.exclusiveMinimum = 0), 'body.name has a narrower exclusiveMinimum'],
    ['a narrower end', NAME, (it) => (it.exclusiveMaximum = 10), 'body.name has a narrower exclusiveMaximum'],
    ['a narrower step', NAME, (it) => (it.multipleOf = 5), 'body.name has a narrower multipleOf'],
    ['a lost code', `${REGISTER} ${CODES}`, (it) => (it['409'] = ['USERNAME_TAKEN']), 'code EMAIL_TAKEN removed'],
    ['all codes lost', REGISTER, (it) => delete it[CODES], 'error code USERNAME_TAKEN removed'],
    ['a closed door', `${SITE} get`, (it) => delete it.security, 'open to guests no more'],
    ['a success with another status', `${SITE} get responses`, (it) => delete it['200'], 'status 200 removed'],
  ])('finds %s', (_name, path, change, text) => {
    expect(findBreaksIn(changed(path, change)).join('\n')).toContain(text)
  })
})
