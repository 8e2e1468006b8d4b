export { CHAPTERS } from './chapters.ts'
export type * from './guide.ts'
export { listPrograms, type Program } from './list-programs.ts'
export { parseChapter, readGuide } from './read-guide.ts'
