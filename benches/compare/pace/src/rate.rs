//! A steady load: each request has its time, and its wait counts from there, sent or not.

use std::{
    cell::{Cell, RefCell},
    io::{Error, ErrorKind},
    rc::Rc,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    runtime::Builder,
    task::{JoinSet, LocalSet, yield_now},
};

use crate::{Result, http};

const CONNECTIONS: usize = 32;

/// What came before is not counted: connections open, caches fill.
const WARM_UP: Duration = Duration::from_millis(300);

struct Plan {
    start: Instant,
    gap: Duration,
    end: Duration,
    next: Cell<u32>,
    waits: RefCell<Vec<u128>>,
}

/// Sends `rate` requests a second, and prints how long the half and 99 of 100 of them waited at most.
pub fn run(port: u16, request: &[u8], rate: f64, seconds: f64) -> Result {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let plan = Rc::new(Plan {
        start: Instant::now() + Duration::from_millis(50),
        gap: Duration::from_secs_f64(1.0 / rate),
        end: WARM_UP + Duration::from_secs_f64(seconds),
        next: Cell::new(0),
        waits: RefCell::default(),
    });
    LocalSet::new().block_on(&runtime, async {
        let mut all = JoinSet::new();
        for _ in 0..CONNECTIONS {
            all.spawn_local(keep_sending(port, request.to_owned(), plan.clone()));
        }
        while let Some(one) = all.join_next().await {
            one??;
        }
        Ok::<_, Error>(())
    })?;
    let mut waits = plan.waits.take();
    waits.sort_unstable();
    let at = |part: f64| waits.get((waits.len() as f64 * part) as usize).copied().unwrap_or_default();
    println!("{} {} {}", at(0.50), at(0.99), waits.len());
    Ok(())
}

/// Takes the next time from the plan, waits for it, sends, and reads the answer.
async fn keep_sending(port: u16, request: Vec<u8>, plan: Rc<Plan>) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.set_nodelay(true)?;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let turn = plan.next.replace(plan.next.get() + 1);
        let due = plan.gap * turn;
        if due > plan.end {
            return Ok(());
        }
        // A timer would be late by up to a millisecond.
        while plan.start + due > Instant::now() {
            yield_now().await;
        }
        stream.write_all(&request).await?;
        read(&mut stream, &mut buffer).await?;
        if due > WARM_UP {
            plan.waits.borrow_mut().push((plan.start + due).elapsed().as_micros());
        }
    }
}

async fn read(stream: &mut TcpStream, buffer: &mut [u8]) -> std::io::Result<()> {
    let mut have = 0;
    loop {
        let more = stream.read(&mut buffer[have..]).await?;
        if more == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        have += more;
        if http::length(&buffer[..have])?.is_some_and(|it| it <= have) {
            return Ok(());
        }
    }
}
