//! Running the same work on several threads.

use std::panic;
use std::thread;

use super::Error;

/// As much as the main thread has: parsers of hostile text may nest.
const STACK: usize = 8 << 20;

/// Runs `work` once for each of `states`, on as many threads, and waits for all of them.
///
/// A single one runs on the calling thread. A panic of `work` goes on in the caller.
pub(super) fn run<S: Send>(
    states: &mut [S],
    work: impl Fn(usize, &mut S) + Sync,
) -> Result<(), Error> {
    if let [state] = states {
        work(0, state);
        return Ok(());
    }
    thread::scope(|scope| {
        let mut running = Vec::new();
        for (number, state) in states.iter_mut().enumerate() {
            let work = &work;
            let builder = thread::Builder::new().stack_size(STACK);
            running.push(
                builder.spawn_scoped(scope, move || work(number, state)).map_err(Error::Thread)?,
            );
        }
        for thread in running {
            if let Err(panic) = thread.join() {
                panic::resume_unwind(panic);
            }
        }
        Ok(())
    })
}
