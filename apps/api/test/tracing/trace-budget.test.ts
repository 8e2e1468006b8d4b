import { describe, expect, it } from 'vitest'
import { TraceBudget } from '../../src/tracing/otlp-tracing.ts'

function countAllowed(budget: TraceBudget, tries: number): number {
  return Array.from({ length: tries }, () => budget.spend()).filter(Boolean).length
}

describe('the trace budget', () => {
  it('allows every call of a quiet server', () => {
    let nowMs = 0
    const budget = new TraceBudget(20, () => nowMs)
    for (let i = 0; i < 100; i++) {
      expect(budget.spend()).toBe(true)
      nowMs += 50
    }
  })

  it('allows only its number of traces a second under load, evenly spread', () => {
    let nowMs = 0
    const budget = new TraceBudget(20, () => nowMs)
    const tenths = Array.from({ length: 50 }, () => {
      nowMs += 100
      return countAllowed(budget, 1_000)
    })
    expect(tenths.every((count) => count === 2)).toBe(true)
  })

  it('saves up unused traces for at most a tenth of a second', () => {
    let nowMs = 0
    const budget = new TraceBudget(50, () => nowMs)
    nowMs = 3_600_000
    expect(countAllowed(budget, 1_000)).toBe(5)
  })

  it('allows one trace at a time if fewer than ten are allowed a second', () => {
    let nowMs = 0
    const budget = new TraceBudget(2, () => nowMs)
    expect(countAllowed(budget, 10)).toBe(1)
    nowMs = 499
    expect(countAllowed(budget, 10)).toBe(0)
    nowMs = 501
    expect(countAllowed(budget, 10)).toBe(1)
  })
})
