import { describe, expect, it } from 'vitest'
import { chooseScope, serves } from '../lib/install.mjs'

const product = { scope: 'product', fingerprint: 'a' }
const everything = { scope: 'everything', fingerprint: 'a' }

describe('npm start', () => {
  it('installs only what the product needs in a fresh clone, also the next time', () => {
    expect(chooseScope({ isForProduct: true, before: null })).toBe('product')
    expect(chooseScope({ isForProduct: true, before: product })).toBe('product')
  })

  it('removes no tools from a contributor’s install', () => {
    expect(chooseScope({ isForProduct: true, before: everything })).toBe('everything')
  })
})

describe('an install', () => {
  it('includes everything unless npm start requested it', () => {
    expect(chooseScope({ isForProduct: false, before: product })).toBe('everything')
    expect(serves({ scope: 'everything', wanted: 'a', before: product })).toBe(false)
  })

  it('is reused while none of its inputs has changed', () => {
    expect(serves({ scope: 'product', wanted: 'a', before: product })).toBe(true)
    expect(serves({ scope: 'everything', wanted: 'a', before: everything })).toBe(true)
    expect(serves({ scope: 'product', wanted: 'a', before: everything })).toBe(true)
    expect(serves({ scope: 'product', wanted: 'b', before: everything })).toBe(false)
    expect(serves({ scope: 'product', wanted: 'a', before: null })).toBe(false)
  })
})
