import { describe, expect, it } from 'vitest'
import { PICTURE_BYTES_MAX, pictureProblem } from '../../src/features/settings/pass/send-file.ts'

const picture = { name: 'moon.png', type: 'image/png', size: 1_000 }

describe('pictureProblem', () => {
  it('takes one picture of exactly 5 MB, and refuses one byte more', () => {
    expect(PICTURE_BYTES_MAX).toBe(5_242_880)
    expect(pictureProblem([{ ...picture, size: 5_242_880 }])).toBeNull()
    expect(pictureProblem([{ ...picture, size: 5_242_881 }])).toBe(
      'moon.png is 5.1 MB. Please choose a picture of at most 5 MB.',
    )
  })

  it.each(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])('takes %s', (type) => {
    expect(pictureProblem([{ ...picture, type }])).toBeNull()
  })

  it('refuses what is no image, whatever its name says', () => {
    expect(pictureProblem([{ ...picture, type: 'application/pdf' }])).toBe(
      'moon.png is not an image. Please choose a picture.',
    )
    expect(pictureProblem([{ ...picture, type: '' }])).toContain('is not an image')
  })

  it('names the kinds that it takes when it gets another kind of image', () => {
    expect(pictureProblem([{ ...picture, name: 'moon.svg', type: 'image/svg+xml' }])).toBe(
      'moon.svg has an image format that we cannot show. Please choose a PNG, JPEG, WebP, GIF or AVIF.',
    )
  })

  it('refuses none, two, and an empty one', () => {
    expect(pictureProblem([])).toContain('No file was chosen')
    expect(pictureProblem([picture, picture])).toBe('You chose 2 files. Please choose one picture.')
    expect(pictureProblem([{ ...picture, size: 0 }])).toBe('moon.png is empty. Please choose another picture.')
  })
})
