import type { Plugin } from 'vite'

/**
 * Preloads the text fonts, so that texts are painted only once, in their final font. Few browsers need the emoji font,
 * so it is not preloaded.
 */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.values(bundle ?? {}).filter(
          (it) => it.type === 'asset' && /-latin-.*woff2$/.test(it.names[0] ?? ''),
        )
        return fonts.map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${fileName}`, crossorigin: true },
          injectTo: 'head-prepend' as const,
        }))
      },
    },
  }
}
