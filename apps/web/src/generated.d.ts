declare module 'virtual:mantine-variables.css'
declare module 'virtual:guide' {
  export const chapters: readonly import('@papermoon/guide').Chapter[]
}
