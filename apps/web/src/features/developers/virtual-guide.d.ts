declare module 'virtual:guide' {
  export const chapters: readonly import('@papermoon/guide').Chapter[]
}
