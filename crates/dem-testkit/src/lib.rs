//! Analytic references, conformance checks and small scenes shared by the tests.
