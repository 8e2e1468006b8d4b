import { Decimal } from '@papermoon/amm'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { TakenOff, WhyTakenOff } from '../../src/features/fairs/fair-gain.tsx'

const draw = (standing: string, score: string) =>
  renderToStaticMarkup(
    <WhyTakenOff limitedBy={{ id: 7 as never, username: 'luna' }} standing={standing} score={score} stake="100" />,
  )

it('a reduced score shows how much is left out, what counts, and who lost most of it', () => {
  expect(draw('159.49', '135.56')).toContain('at most 10.00 SOL counts. Your score leaves out the 23.93 SOL above that')
  expect(draw('159.49', '135.56')).toContain('Most of it came from <b>luna</b>.')
  expect(draw('159.49', '159.49')).toBe('')
})

it.each([
  ['13.755', '13.76'],
  ['13.75', '13.75'],
  ['0.000000001', '0.01'],
  ['1234.561', '1,234.57'],
])('a score that leaves out %s SOL says %s SOL in the ranking and in the sentence', (taken, shown) => {
  const [standing, score] = ['5000', new Decimal(5000).sub(taken).toFixed()]
  expect(renderToStaticMarkup(<TakenOff standing={standing} score={score} />)).toContain(`>−${shown}: most of it`)
  expect(draw(standing, score)).toContain(`Your score leaves out the ${shown} SOL above that`)
})
