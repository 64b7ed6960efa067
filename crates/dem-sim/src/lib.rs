//! Scenes, insertion, fields, integrators and the parallel stepper.
