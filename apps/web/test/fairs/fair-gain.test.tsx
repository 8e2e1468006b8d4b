import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { WhyTakenOff } from '../../src/features/fairs/fair-gain.tsx'

const draw = (standing: string, score: string) =>
  renderToStaticMarkup(
    <WhyTakenOff limitedBy={{ id: 7 as never, username: 'luna' }} standing={standing} score={score} stake="100" />,
  )

it('a reduced score shows how much is left out, what counts, and who lost most of it', () => {
  expect(draw('159.49', '135.56')).toContain('at most 10.00 SOL counts. Your score leaves out the 23.93 SOL above that')
  expect(draw('159.49', '135.56')).toContain('Most of it came from <b>luna</b>.')
  expect(draw('159.49', '159.49')).toBe('')
})
