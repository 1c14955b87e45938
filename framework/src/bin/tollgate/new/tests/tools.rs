//! What the tools do, through the same gates as on the network.

use server::{Length, Lunch, Unit, convert_length, order_lunch, server};
use tollgate::prelude::*;

#[tokio::test]
async fn two_miles_are_3218_metres() -> Result {
    let client = server().client("ann");
    let request = convert_length {
        length: 2.0,
        from: Unit::Mile,
        to: Unit::Metre,
    };

    let answer = client.call(request).await?;

    let expected = Length {
        length: 3218.688,
        unit: Unit::Metre,
    };
    assert_eq!(answer, expected);
    Ok(())
}

#[tokio::test]
async fn lunch_is_ordered_when_the_user_agrees() -> Result {
    let client = server()
        .client("ann")
        .answer(|_| Some(Lunch { order: true }));
    let people = 3.try_into()?;

    let answer = client.call(order_lunch { people }).await?;

    assert_eq!(answer, "Lunch for 3 is on its way.");
    Ok(())
}

#[tokio::test]
async fn nothing_is_ordered_when_the_user_does_not() -> Result {
    let client = server()
        .client("ann")
        .answer(|_| Some(Lunch { order: false }));
    let people = 3.try_into()?;

    let answer = client.call(order_lunch { people }).await;

    assert!(answer.is_err());
    Ok(())
}
