//! Which addresses are fetched from: global unicast, minus everything that a registry gives a special use.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Anybody on the internet.
    Public,
    /// Machines of one network: RFC 1918, RFC 6598 and unique local addresses.
    Private,
    /// This machine.
    Loopback,
    /// Everything else that the registries of RFC 6890 list, and what they do not know.
    Special,
}

/// The scope of an address. An IPv4 address inside an IPv6 one is special, whatever it embeds.
pub(super) fn scope(address: IpAddr) -> Scope {
    match address {
        IpAddr::V4(it) if it.is_loopback() => Scope::Loopback,
        IpAddr::V4(it) if has(&PRIVATE_V4, it) => Scope::Private,
        IpAddr::V4(it) if has(&SPECIAL_V4, it) => Scope::Special,
        IpAddr::V4(_) => Scope::Public,
        IpAddr::V6(Ipv6Addr::LOCALHOST) => Scope::Loopback,
        IpAddr::V6(it) if has_v6(&PRIVATE_V6, it) => Scope::Private,
        IpAddr::V6(it) if has_v6(&GLOBAL_V6, it) && !has_v6(&SPECIAL_V6, it) => Scope::Public,
        IpAddr::V6(_) => Scope::Special,
    }
}

fn has(table: &[(Ipv4Addr, u32)], address: Ipv4Addr) -> bool {
    table.iter().any(|(net, length)| (net.to_bits() ^ address.to_bits()) >> (32 - length) == 0)
}

fn has_v6(table: &[(Ipv6Addr, u32)], address: Ipv6Addr) -> bool {
    table.iter().any(|(net, length)| (net.to_bits() ^ address.to_bits()) >> (128 - length) == 0)
}

const fn v4(a: u8, b: u8, c: u8, length: u32) -> (Ipv4Addr, u32) {
    (Ipv4Addr::new(a, b, c, 0), length)
}

const fn v6(a: u16, b: u16, length: u32) -> (Ipv6Addr, u32) {
    (Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), length)
}

const PRIVATE_V4: [(Ipv4Addr, u32); 4] =
    [v4(10, 0, 0, 8), v4(100, 64, 0, 10), v4(172, 16, 0, 12), v4(192, 168, 0, 16)];

const SPECIAL_V4: [(Ipv4Addr, u32); 13] = [
    v4(0, 0, 0, 8),
    v4(169, 254, 0, 16),
    v4(192, 0, 0, 24),
    v4(192, 0, 2, 24),
    v4(192, 31, 196, 24),
    v4(192, 52, 193, 24),
    v4(192, 88, 99, 24),
    v4(192, 175, 48, 24),
    v4(198, 18, 0, 15),
    v4(198, 51, 100, 24),
    v4(203, 0, 113, 24),
    v4(224, 0, 0, 4),
    v4(240, 0, 0, 4),
];

const PRIVATE_V6: [(Ipv6Addr, u32); 1] = [v6(0xfc00, 0, 7)];

/// The only part of IPv6 that is given out to networks of the internet.
const GLOBAL_V6: [(Ipv6Addr, u32); 1] = [v6(0x2000, 0, 3)];

/// What inside it is not: protocol assignments (Teredo, ORCHID, AMT), documentation, 6to4.
const SPECIAL_V6: [(Ipv6Addr, u32); 4] =
    [v6(0x2001, 0, 23), v6(0x2001, 0xdb8, 32), v6(0x2002, 0, 16), v6(0x3fff, 0, 20)];

#[cfg(test)]
mod tests {
    use super::*;

    fn scopes(addresses: &[&str]) -> Vec<Scope> {
        addresses.iter().map(|it| scope(it.parse().unwrap())).collect()
    }

    #[test]
    fn every_block_is_refused_from_its_first_to_its_last_address_and_no_further() {
        // First and last of the block, then the neighbours when they are public.
        let blocks: [(&[&str], Scope, &[&str]); 18] = [
            (&["0.0.0.0", "0.255.255.255"], Scope::Special, &["1.0.0.0"]),
            (&["10.0.0.0", "10.255.255.255"], Scope::Private, &["9.255.255.255", "11.0.0.0"]),
            (&["100.64.0.0", "100.127.255.255"], Scope::Private, &["100.63.255.255", "100.128.0.0"]),
            (&["127.0.0.0", "127.255.255.255"], Scope::Loopback, &["126.255.255.255", "128.0.0.0"]),
            (&["169.254.0.0", "169.254.255.255"], Scope::Special, &["169.253.255.255", "169.255.0.0"]),
            (&["172.16.0.0", "172.31.255.255"], Scope::Private, &["172.15.255.255", "172.32.0.0"]),
            (&["192.0.0.0", "192.0.0.255"], Scope::Special, &["191.255.255.255", "192.0.1.0"]),
            (&["192.0.2.0", "192.0.2.255"], Scope::Special, &["192.0.1.255", "192.0.3.0"]),
            (&["192.31.196.0", "192.31.196.255"], Scope::Special, &["192.31.195.255", "192.31.197.0"]),
            (&["192.52.193.0", "192.52.193.255"], Scope::Special, &["192.52.192.255", "192.52.194.0"]),
            (&["192.88.99.0", "192.88.99.255"], Scope::Special, &["192.88.98.255", "192.88.100.0"]),
            (&["192.168.0.0", "192.168.255.255"], Scope::Private, &["192.167.255.255", "192.169.0.0"]),
            (&["192.175.48.0", "192.175.48.255"], Scope::Special, &["192.175.47.255", "192.175.49.0"]),
            (&["198.18.0.0", "198.19.255.255"], Scope::Special, &["198.17.255.255", "198.20.0.0"]),
            (&["198.51.100.0", "198.51.100.255"], Scope::Special, &["198.51.99.255", "198.51.101.0"]),
            (&["203.0.113.0", "203.0.113.255"], Scope::Special, &["203.0.112.255", "203.0.114.0"]),
            (&["224.0.0.0", "239.255.255.255"], Scope::Special, &["223.255.255.255"]),
            (&["240.0.0.0", "255.255.255.255"], Scope::Special, &[]),
        ];

        for (block, expected, neighbours) in blocks {
            assert_eq!(scopes(block), vec![expected; block.len()], "{block:?}");
            assert_eq!(scopes(neighbours), vec![Scope::Public; neighbours.len()], "{neighbours:?}");
        }
    }

    #[test]
    fn only_what_is_given_out_of_ipv6_is_public() {
        let public =
            ["2000::", "2001:200::", "2001:4860:4860::8888", "2003::", "2606:4700::1111", "3ffe:ffff::"];
        let special = [
            "::",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:93.184.216.34",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::a00:1",
            "100::1",
            "1fff:ffff::",
            "2001::1",
            "2001:1ff:ffff::",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "3fff:fff:ffff::",
            "4000::",
            "5f00::1",
            "fe00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ];

        assert_eq!(scopes(&public), vec![Scope::Public; public.len()]);
        assert_eq!(scopes(&special), vec![Scope::Special; special.len()]);
        assert_eq!(scopes(&["fc00::", "fdff:ffff::1"]), [Scope::Private; 2]);
        assert_eq!(scopes(&["::1"]), [Scope::Loopback]);
        assert_eq!(scopes(&["3fff:1000::"]), [Scope::Public]);
    }
}
