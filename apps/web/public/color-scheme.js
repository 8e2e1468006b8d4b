// Before the first paint, so that nobody's dark room is lit up. The first key is the one Mantine stores the choice under.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  const scheme = chosen === 'auto' ? system : chosen
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.mantineColorScheme = scheme
  const upDown = localStorage.getItem('papermoon-up-down')
  if (upDown) document.documentElement.dataset.upDown = upDown
} catch {
  // Storage is blocked: the night stays.
}

// The bar around the page is of the paper that the navigation is of: --pm-surface of styles/tokens.css.
const bars = { dark: '#161a27', light: '#fbf6ea' }
const colorBar = () => {
  const { mantineColorScheme } = document.documentElement.dataset
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', bars[mantineColorScheme] ?? bars.dark)
}
colorBar()
new MutationObserver(colorBar).observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
