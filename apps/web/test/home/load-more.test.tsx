// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoadMore } from '../../src/features/home/grid/load-more.tsx'
import { fakeIntersections } from '../support/fake-intersections.ts'
import { type Rendered, render } from '../support/render.tsx'

let page: Rendered
let asked: number
let reportEnd: (...changes: readonly boolean[]) => void

const show = (state: { pages: number; isLoading?: boolean; hasFailed?: boolean }) =>
  page.show(<LoadMore isLoading={false} hasFailed={false} {...state} onMore={() => asked++} />)

beforeEach(async () => {
  reportEnd = fakeIntersections()
  asked = 0
  page = await render(null)
  await show({ pages: 1 })
})

afterEach(() => void vi.unstubAllGlobals())

describe('the end of the list', () => {
  it('loads the next page when it comes near, and each page once', async () => {
    reportEnd(false)
    expect(asked).toBe(0)
    reportEnd(true)
    expect(asked).toBe(1)
    await show({ pages: 1, isLoading: true })
    reportEnd(true)
    expect(asked).toBe(1)
    await show({ pages: 2 })
    reportEnd(true)
    expect(asked).toBe(2)
  })

  it('loads the next page if a busy browser reports "far" and "near" together', () => {
    reportEnd(false, true)
    expect(asked).toBe(1)
  })

  it('loads nothing if it is far again when the browser reports', () => {
    reportEnd(true, false)
    expect(asked).toBe(0)
  })

  it('waits for the button after a failure', async () => {
    await show({ pages: 1, hasFailed: true })
    reportEnd(true)
    expect(asked).toBe(0)
    document.querySelector('button')?.click()
    expect(asked).toBe(1)
  })
})
