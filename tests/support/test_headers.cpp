// Carries the precompiled headers that every test reuses.
