import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { TokenHeaderFrame } from '../../src/features/tokens/header/token-header.tsx'

const header = { emoji: '🌙', name: 'Moon', symbol: 'MOON', creator: 'ada', price: '1', marketCap: '2' }

it('draws the buttons that the route puts into the header’s slot', () => {
  const html = renderToStaticMarkup(<TokenHeaderFrame {...header} actions={<button type="button">Watch</button>} />)
  expect(html).toContain('<button type="button">Watch</button>')
})

it('reserves space for buttons that come later, so that nothing moves', () => {
  const html = renderToStaticMarkup(<TokenHeaderFrame {...header} />)
  expect(html).toMatch(/<div class="[^"]*actions[^"]*"><\/div>/)
})
