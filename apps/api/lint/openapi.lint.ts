import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { describe, expect, it } from 'vitest'
import { createOpenApiDocument, VIEWS, type View } from '../src/http/rest/openapi/document.ts'

// Spectral's packages are CommonJS, and Node does not find their named exports.
const { Spectral } = spectralCore
const { oas } = spectralRulesets

const spectral = new Spectral()
spectral.setRuleset({
  extends: [[oas as RulesetDefinition, 'recommended']],
  // OpenAPI makes descriptions optional. An operation has no description if its summary is enough.
  rules: { 'operation-description': 'off' },
})
const redocly = await createConfig({ extends: ['recommended'] })

const linters = {
  async spectral(document: object): Promise<string[]> {
    const problems = await spectral.run(JSON.stringify(document))
    return problems.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`)
  },
  async redocly(document: object): Promise<string[]> {
    const problems = await lintFromString({ source: JSON.stringify(document), config: redocly })
    return problems.map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)
  },
}

const createDocument = (view: View) =>
  createOpenApiDocument({ publicUrl: 'https://papermoon.example', communityUrl: 'https://x.com/' }, view)

describe.each(Object.entries(linters))('the OpenAPI document and the recommended rules of %s', (_name, lint) => {
  it.each(VIEWS)('agree, without a warning, in the view %s', async (view) => {
    expect(await lint(createDocument(view))).toEqual([])
  })

  it('disagree about an operation without a name and a reference that leads nowhere', async () => {
    const broken = { get: { responses: { 200: { $ref: '#/components/responses/Missing' } } } }
    const problems = await lint({ ...createDocument('full'), paths: { '/api/tokens': broken } })
    expect(problems.join('\n')).toMatch(/operation-operationId at/)
    expect(problems.join('\n')).toMatch(/(invalid-ref|no-unresolved-refs) at/)
  })
})
