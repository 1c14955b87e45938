//! The table of sentences, and the stores of which they are true.

use super::{handles, kit, limits, spending};

macro_rules! sentences {
    ($($chapter:ident { $($sentence:ident,)* })*) => {
        sentences!(@memory kit::in_memory; $($chapter { $($sentence,)* })*);
        sentences!(@sqlite kit::in_a_file; $($chapter { $($sentence,)* })*);
    };
    (@$store:ident $build:path; $($chapter:ident { $($sentence:ident,)* })*) => {
        mod $store {
            use super::*;

            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $sentence() {
                    $chapter::$sentence($build).await;
                }
            )*)*
        }
    };
}

sentences! {
    spending {
        of_many_at_once_exactly_one_spends,
        keys_are_spent_apart,
        a_key_is_remembered_until_it_expires,
        what_has_expired_cannot_be_spent,
        a_key_can_be_spent_to_the_nanosecond,
        a_time_far_away_can_be_remembered,
        a_call_that_is_never_polled_does_nothing,
        a_call_that_is_dropped_midway_does_all_or_nothing,
    }
    handles {
        what_is_held_comes_back_as_it_was,
        the_largest_numbers_come_back_as_they_were,
        whoever_asks_otherwise_finds_nothing,
        a_record_may_be_empty_or_large,
        one_record_may_have_several_holdings,
        a_holding_may_be_about_no_record,
        a_use_is_noted_unless_it_is_earlier,
        a_use_of_what_is_not_there_changes_nothing,
        a_record_is_replaced_if_it_has_the_version,
        of_two_updates_with_one_version_exactly_one_is_done,
        a_deleted_record_is_gone_for_all_its_holders,
        a_released_holding_is_gone_and_the_others_stay,
        a_record_goes_with_its_last_holding,
        a_replaced_holding_lets_its_record_go,
        a_replaced_holding_keeps_the_record_that_it_is_still_about,
        a_holding_is_replaced_together_with_its_record,
        holdings_are_listed_newest_first_and_at_most_so_many,
        what_has_expired_or_lost_its_record_is_not_listed,
        principals_and_kinds_are_listed_apart,
    }
    limits {
        one_more_than_the_most_is_too_many,
        what_has_expired_does_not_count,
        what_lost_its_record_does_not_count,
        what_was_used_again_counts_longer,
        principals_and_kinds_are_counted_apart,
        with_most_nothing_is_replaced,
        of_many_at_once_exactly_as_many_are_held_as_may_be,
        what_has_ended_is_remembered_for_a_week_and_then_forgotten,
        a_record_is_forgotten_with_its_last_holding,
        a_full_store_refuses_keys_and_forgets_none,
        a_full_store_has_room_for_a_key_once_one_expires,
        a_full_store_refuses_handles_and_forgets_none,
        a_full_store_has_room_for_a_handle_once_one_is_forgotten,
    }
}
