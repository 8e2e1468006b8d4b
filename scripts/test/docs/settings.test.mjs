import { describe, expect, it } from 'vitest'
import { readConfig, settingNames } from '../../../apps/api/src/config.ts'
import { listRows, read } from './pages.mjs'

const codeIn = (cell) => /`([^`]*)`/.exec(cell)?.[1] ?? ''
const rows = listRows(read('docs/operations/settings.md'))
  .filter(([name]) => name.startsWith('`'))
  .map(([name, fallback, meaning]) => ({ name: codeIn(name), fallback, meaning }))

describe('docs/operations/settings.md', () => {
  it('names every setting that the server reads, and no other', () => {
    expect(rows.map((row) => row.name).sort()).toEqual([...settingNames].sort())
  })

  it('says what each one means', () => {
    for (const { name, meaning } of rows) expect(`${name}: ${meaning}`).toMatch(/: .{15,}\.$/)
  })

  it('says the defaults that the server has', () => {
    const stated = rows.map(({ name, fallback }) => [name, codeIn(fallback)])
    // Dots mean that the default depends on other settings.
    const values = stated.filter(([, value]) => value !== '' && !value.includes('…'))
    expect(values.length).toBeGreaterThan(5)
    const s3 = { S3_ENDPOINT: 'http://minio:9000', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' }
    for (const given of [{}, s3]) {
      expect(readConfig({ ...given, ...Object.fromEntries(values) })).toEqual(readConfig(given))
    }
  })

  it('leaves out no default', () => {
    const nothing = rows.filter(({ fallback }) => codeIn(fallback) === '').map(({ name }) => name)
    const changing = [
      ...['PORT', 'HOST', 'DATA_DIR', 'COMMUNITY_URL', 'RATE_LIMIT', 'LOG_LEVEL', 'TRUST_PROXY'],
      ...['S3_BUCKET', 'S3_REGION', 'UPLOADS_MAX_MB'],
    ]
    expect(nothing.filter((name) => changing.includes(name))).toEqual([])
  })
})
