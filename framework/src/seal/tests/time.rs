//! A token opens from its issue, give or take a clock, until it expires.

use super::*;

#[test]
fn a_token_opens_until_the_second_it_expires() {
    let times = Times { issued: 1000, expires: 1600 };

    assert_eq!(open_at(times, 1599), Ok(()));
    assert_eq!(open_at(times, 1600), Err(OpenError::Expired));
    assert_eq!(open_at(times, 1601), Err(OpenError::Expired));
    assert_eq!(open_at(times, u64::MAX), Err(OpenError::Expired));
}

#[test]
fn a_token_from_a_clock_that_is_a_minute_ahead_opens() {
    let times = Times { issued: 1000, expires: 1600 };

    assert_eq!(open_at(times, 940), Ok(()));
    assert_eq!(open_at(times, 939), Err(OpenError::NotYet));
    assert_eq!(open_at(times, 0), Err(OpenError::NotYet));
}

#[test]
fn the_largest_times_do_not_overflow() {
    let times = Times { issued: u64::MAX, expires: u64::MAX };

    assert_eq!(open_at(times, u64::MAX - 1), Ok(()));
    assert_eq!(open_at(times, u64::MAX), Err(OpenError::Expired));
    assert_eq!(open_at(times, 0), Err(OpenError::NotYet));
}

#[test]
fn a_token_that_expires_before_its_issue_never_opens() {
    let times = Times { issued: 1000, expires: 900 };

    assert_eq!(open_at(times, 939), Err(OpenError::NotYet));
    assert_eq!(open_at(times, 1000), Err(OpenError::Expired));
}

#[test]
fn a_forged_token_is_forged_before_it_is_expired() {
    let token =
        ring().seal(Purpose::Session, &[b"alice"], b"", Times { issued: 0, expires: 0 }, NONCE).unwrap();

    let opened = ring().open(Purpose::Session, &[b"mallory"], &token, NOW).map(|_| ());

    assert_eq!(opened, Err(OpenError::Forged));
}

fn open_at(times: Times, now: u64) -> Result<(), OpenError> {
    let token = ring().seal(Purpose::RequestState, BINDING, b"answers", times, NONCE).unwrap();
    ring().open(Purpose::RequestState, BINDING, &token, now).map(|_| ())
}
