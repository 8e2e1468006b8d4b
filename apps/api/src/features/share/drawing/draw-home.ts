import { colours } from './colours.ts'
import { hungMoon, MARGIN, scene } from './scene.ts'
import { setText } from './set-text.ts'

const WORDS = [
  { text: 'trade like', y: 190 },
  { text: 'a millionaire', y: 292 },
]
const LEAD = ['A simulated launchpad with off-chain', 'AMM trading and real-time charts.']

export function drawHome(): string {
  const words = WORDS.map((line) => setText({ ...line, x: MARGIN, size: 100, face: 'display', fill: colours.moon }).svg)
  const lead = LEAD.map(
    (text, index) => setText({ text, x: MARGIN, y: 372 + index * 46, size: 36, face: 'plain', fill: colours.text }).svg,
  )
  return scene(`${hungMoon(810, 90, 300)}${words.join('')}${lead.join('')}`)
}
