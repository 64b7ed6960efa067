//! Every integrator of the registry with every choice that makes another scheme of it: order, conservation, iteration, and two published
//! examples.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "functions that tests share fail and tell as tests do")]

mod conservation;
mod implicit;
mod motion;
mod order;
mod rolling;
mod stability;

use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;

/// Runs on one thread: small worlds lose more by handing work over than they win.
fn alone<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(act)
}

fn take_steps(pipeline: &mut Pipeline, world: &mut World, steps: u32) {
    for _ in 0..steps {
        pipeline.step(world).unwrap();
    }
}
