import { describe, expect, it } from 'vitest'
import { chooseScope, serves } from '../lib/install.mjs'

const product = { scope: 'product', fingerprint: 'a' }
const everything = { scope: 'everything', fingerprint: 'a' }

describe('npm start', () => {
  it('installs only what the product needs in a fresh clone, and keeps to that', () => {
    expect(chooseScope({ isForProduct: true, before: null })).toBe('product')
    expect(chooseScope({ isForProduct: true, before: product })).toBe('product')
  })

  it('takes no tools away from a contributor', () => {
    expect(chooseScope({ isForProduct: true, before: everything })).toBe('everything')
  })
})

describe('an install', () => {
  it('is complete for everything but npm start', () => {
    expect(chooseScope({ isForProduct: false, before: product })).toBe('everything')
    expect(serves({ scope: 'everything', wanted: 'a', before: product })).toBe(false)
  })

  it('serves again while nothing that decides it changed', () => {
    expect(serves({ scope: 'product', wanted: 'a', before: product })).toBe(true)
    expect(serves({ scope: 'everything', wanted: 'a', before: everything })).toBe(true)
    expect(serves({ scope: 'product', wanted: 'a', before: everything })).toBe(true)
    expect(serves({ scope: 'product', wanted: 'b', before: everything })).toBe(false)
    expect(serves({ scope: 'product', wanted: 'a', before: null })).toBe(false)
  })
})
