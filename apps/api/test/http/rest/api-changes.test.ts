import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createOpenApiDocument } from '../../../src/http/rest/openapi/document.ts'
import { findBreaks } from '../../support/compare-documents.ts'

const RELEASED = new URL('../../../released-openapi.json', import.meta.url)
const config = { publicUrl: null, communityUrl: 'https://x.com/' }

// Convert to JSON and back, as callers receive it: JSON leaves undefined properties out.
const document = JSON.parse(JSON.stringify(createOpenApiDocument(config, 'full')))
const released = JSON.parse(readFileSync(RELEASED, 'utf8'))

describe('the API since its last release', () => {
  it('has no breaking change; docs/api.md says what clients are promised', () => {
    expect(findBreaks(released, document)).toEqual([])
  })

  it.each<[string, (schemas: Record<string, { properties: Record<string, unknown>; required: string[] }>) => void]>([
    ['.price removed', (schemas) => void delete schemas.Trade?.properties.price],
    ['body.mood is required now', (schemas) => void schemas.BuyTokenRequest?.required.push('mood')],
  ])('would have this one: %s', (text, change) => {
    const other = structuredClone(document)
    change(other.components.schemas)
    expect(findBreaks(released, other).join('\n')).toContain(text)
  })
})
