/**
 * Loaded into wrangler before anything else. The channel to the starter closes when the starter is gone, even when it
 * was killed outright; then nobody could stop the server any more, so it ends itself and its whole process group.
 */
const GRACE_MS = 3000;

process.on('disconnect', () => {
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), GRACE_MS);
  process.kill(process.pid, 'SIGTERM');
});
// The channel alone must not keep wrangler running.
process.channel?.unref();
