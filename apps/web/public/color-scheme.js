// Runs before the first paint to avoid a flash of the wrong scheme. The first key is Mantine's storage key.
try {
  const { dataset } = document.documentElement
  dataset.mantineColorScheme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  if (chosen === 'light' || chosen === 'dark') dataset.mantineColorScheme = chosen
  const upDown = localStorage.getItem('papermoon-up-down')
  if (upDown) dataset.upDown = upDown
  // The first view of a player has a smaller banner; see src/features/shell/shell.tsx.
  if (localStorage.getItem('papermoon-player')) dataset.player = ''
  const still = localStorage.getItem('papermoon-still')
  if (still) dataset.still = still
} catch {
  // Storage is blocked, so keep the device’s scheme.
}

// Colour of the browser's own bar: --pm-surface of styles/tokens.css.
const bars = { dark: '#161a27', light: '#fbf6ea' }
const colorBar = () => {
  const { mantineColorScheme } = document.documentElement.dataset
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', bars[mantineColorScheme] ?? bars.dark)
}
colorBar()
new MutationObserver(colorBar).observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
