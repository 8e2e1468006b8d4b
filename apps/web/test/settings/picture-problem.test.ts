import { describe, expect, it } from 'vitest'
import { PICTURE_BYTES_MAX, pictureProblem } from '../../src/features/settings/pass/send-file.ts'

const picture = { name: 'moon.png', type: 'image/png', size: 1_000 }

describe('pictureProblem', () => {
  it('accepts one picture of exactly 5 MB, and rejects one byte more', () => {
    expect(PICTURE_BYTES_MAX).toBe(5_242_880)
    expect(pictureProblem([{ ...picture, size: 5_242_880 }])).toBeNull()
    expect(pictureProblem([{ ...picture, size: 5_242_881 }])).toBe(
      'moon.png is 5.1 MB. Please choose a picture of at most 5 MB.',
    )
  })

  it.each(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])('accepts %s', (type) => {
    expect(pictureProblem([{ ...picture, type }])).toBeNull()
  })

  it('rejects a file that is not an image, whatever its name', () => {
    expect(pictureProblem([{ ...picture, type: 'application/pdf' }])).toBe(
      'moon.png is not an image. Please choose a picture.',
    )
    expect(pictureProblem([{ ...picture, type: '' }])).toContain('is not an image')
  })

  it('names the accepted kinds if it gets another kind of image', () => {
    expect(pictureProblem([{ ...picture, name: 'moon.svg', type: 'image/svg+xml' }])).toBe(
      'moon.svg has an image format that we cannot show. Please choose a PNG, JPEG, WebP, GIF or AVIF.',
    )
  })

  it('rejects no file, two files, and an empty file', () => {
    expect(pictureProblem([])).toContain('No file was chosen')
    expect(pictureProblem([picture, picture])).toBe('You chose 2 files. Please choose one picture.')
    expect(pictureProblem([{ ...picture, size: 0 }])).toBe('moon.png is empty. Please choose another picture.')
  })
})
