//! What is looked at before anything is sent.

use std::time::Duration;

use crate::out::Failure;

/// What a tool has to be still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pin {
    pub(crate) id: String,
    pub(crate) hash: String,
}

pub(crate) fn ids(given: &[String]) -> Result<Vec<String>, Failure> {
    match given.iter().any(|it| it.trim().is_empty()) {
        true => Err("an id is empty: is a variable of the shell not set?".into()),
        false => Ok(given.to_vec()),
    }
}

/// Pins for ids that are asked for, one for each at most.
pub(crate) fn pins(given: &[String], ids: &[String]) -> Result<Vec<Pin>, Failure> {
    let mut pins: Vec<Pin> = Vec::new();
    for text in given {
        let pin = pin(text)?;
        if !ids.iter().any(|it| it.trim() == pin.id) {
            return Err(format!("`{}` is pinned and not asked for: add it to the ids", pin.id).into());
        }
        match pins.iter().find(|it| it.id == pin.id) {
            Some(other) if other.hash != pin.hash => {
                return Err(format!("`{}` is pinned to two hashes: keep one", pin.id).into());
            }
            Some(_) => {}
            None => pins.push(pin),
        }
    }
    Ok(pins)
}

/// Reads `id=sha256/v1:hex`.
fn pin(text: &str) -> Result<Pin, Failure> {
    let read = || {
        // An id may hold a `=`, a hash never does.
        let (id, hash) = text.rsplit_once('=')?;
        let (version, digest) = hash.strip_prefix("sha256/v")?.split_once(':')?;
        let is_version = !version.is_empty() && version.bytes().all(|it| it.is_ascii_digit());
        let is_digest = digest.len() == 64 && digest.bytes().all(|it| it.is_ascii_hexdigit());
        (is_version && is_digest && !id.trim().is_empty())
            .then(|| Pin { id: id.trim().to_owned(), hash: hash.to_ascii_lowercase() })
    };
    read()
        .ok_or_else(|| format!("`{text}` is no pin: write `id=sha256/v1:` and 64 hexadecimal digits").into())
}

/// Milliseconds to wait, rounded up, so that a little is not nothing. The limit holds for what was written.
pub(crate) fn wait(wait: Duration) -> Result<u64, Failure> {
    const MOST: Duration = Duration::from_secs(10);
    if wait > MOST {
        return Err(format!("`--wait` is {wait:?}, and at most 10s can be waited").into());
    }
    u64::try_from(wait.as_nanos().div_ceil(1_000_000)).map_err(|error| error.to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(all: &[&str]) -> Vec<String> {
        all.iter().map(|it| (*it).to_owned()).collect()
    }

    fn hash(digit: char) -> String {
        format!("sha256/v2:{}", digit.to_string().repeat(64))
    }

    #[test]
    fn an_empty_id_is_refused() {
        assert!(ids(&strings(&["a", " "])).is_err());
        assert_eq!(ids(&strings(&["a", " b "])).unwrap(), ["a", " b "]);
    }

    #[test]
    fn a_pin_is_an_id_and_a_hash() {
        let good = format!("a=b={}", hash('a'));

        assert_eq!(pin(&good).unwrap(), Pin { id: "a=b".into(), hash: hash('a') });
        for bad in
            ["a", "a=", "a=sha256/v1:12", "a=sha1/v1:00", "=sha256/v1:00", "a=sha256/v:00", "a=sha256/vx:00"]
        {
            assert!(pin(bad).is_err(), "{bad}");
        }
        assert!(pin(&format!("a={}", hash('g'))).is_err());
        assert!(pin(&format!("={}", hash('a'))).is_err());
    }

    #[test]
    fn a_pin_is_for_what_is_asked_for_and_there_is_one_of_it() {
        let (a, b) = (format!("a={}", hash('a')), format!("a={}", hash('b')));

        assert!(pins(&strings(&[&a]), &strings(&["b"])).is_err());
        assert!(pins(&strings(&[&a, &b]), &strings(&["a"])).is_err());
        assert_eq!(pins(&strings(&[&a, &a]), &strings(&[" a "])).unwrap().len(), 1);
    }

    #[test]
    fn a_wait_is_exact_at_its_limit_and_never_becomes_nothing() {
        assert_eq!(wait(Duration::from_secs(10)).unwrap(), 10_000);
        assert!(wait(Duration::from_nanos(10_000_000_100)).is_err());
        assert_eq!(wait(Duration::from_nanos(1)).unwrap(), 1);
        assert_eq!(wait(Duration::ZERO).unwrap(), 0);
    }
}
