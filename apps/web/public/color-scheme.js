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
