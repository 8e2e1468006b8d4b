import { expect, it } from 'vitest'
import { findSerious } from '../lib/advisories.mjs'

const advisory = (severity) => ({ module_name: 'weak', severity, title: 'It leaks', url: 'https://example.org/1' })

it('names what is high or critical, and nothing else', () => {
  const advisories = { 1: advisory('low'), 2: advisory('critical'), 3: advisory('moderate'), 4: advisory('high') }
  expect(findSerious(JSON.stringify({ advisories, metadata: {} }))).toEqual([
    'weak (critical): It leaks https://example.org/1',
    'weak (high): It leaks https://example.org/1',
  ])
  expect(findSerious(JSON.stringify({ advisories: {} }))).toEqual([])
})

it.each([
  '',
  'Error: ERR_PNPM_AUDIT_BAD_RESPONSE\n\n  × The audit endpoint responded with 405:',
  '{"error":{"code":"ERR_PNPM_AUDIT_BAD_RESPONSE"}}',
  '{"advisories":',
])('takes %j for no answer', (output) => {
  expect(findSerious(output)).toBeNull()
})
