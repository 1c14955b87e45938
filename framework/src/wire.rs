pub(crate) mod scan;
