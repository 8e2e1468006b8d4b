import type { Plugin } from 'vite'

/** Names every font of the build in the page's head, so that text is drawn once, in its own face. */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((name) => name.endsWith('.woff2'))
        return fonts.map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
          injectTo: 'head-prepend' as const,
        }))
      },
    },
  }
}
