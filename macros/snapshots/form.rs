const _: fn() = || {
    ::tollgate::private::form_field::<bool>();
    ::tollgate::private::form_field::<Option<Text<200>>>();
};
#[automatically_derived]
impl ::tollgate::Elicit for TableHold
where
    TableHold: ::tollgate::private::Fields,
{
    const KEY: &'static str = "table_hold";
}
