export type * from './guide.ts'
export { listPrograms, type Program } from './list-programs.ts'
export { CHAPTERS, parseChapter, readGuide } from './read-guide.ts'
