// Keep this file as a separate chunk (see build/first-chunks.ts). A separate chunk makes the browser initialize React
// in its own task.
import 'react-dom/client'
