import type { Plugin } from 'vite'

/** Preloads the fonts of texts, so that they are painted once, in their final face. Few browsers need the emoji. */
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
