import { router, signedIn } from '../../trpc.ts'
import { createUpload } from './create-upload.ts'
import { profilePicture, setProfilePictureInput, uploadTarget } from './schemas.ts'
import { setProfilePicture } from './set-profile-picture.ts'

export const uploadsRouter = router({
  create: signedIn
    .meta({ limit: 'upload' })
    .output(uploadTarget)
    .mutation(({ ctx }) => createUpload(ctx.app, ctx.userId)),
  setProfilePicture: signedIn
    .meta({ limit: 'upload' })
    .input(setProfilePictureInput)
    .output(profilePicture)
    .mutation(({ ctx, input }) => setProfilePicture(ctx, ctx.userId, input.profilePictureUrl)),
})
